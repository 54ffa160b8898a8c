"""The report as one HTML file and as tables: sc.report(result, …).

make          The ten parts, the page and the file.
subject       The results, the table and C of a report, and all computed values.
patients      Part 2.
methods       Part 3.
results       Parts 1, 4, 5 and 6.
pictures      Part 7.
limitations   Part 8.
repeat        Part 9.
guidelines    Part 10.
citations     Numbered references, and BibTeX.
living        The values of the interactive part, which living.js looks up in the page.
lessons       All lessons as one file, which lessons.js looks up in the page.
page          The blocks of a part, and the HTML of report.html.
check         The check of selections made elsewhere, in one step: sc.check.
exports       Tables as CSV and as a workbook, and everything as one zip.
study_file    The report of a study file, on the command line.

Every sentence on results also appears on a screen, and every number comes from the core.
"""
