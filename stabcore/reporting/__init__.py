"""The report as one HTML file and as tables: sc.report(result, …).

make          the ten parts, the page, the file
subject       the results, the table and C of a report, and everything computed from them once
patients      part 2; methods: part 3; results: parts 1, 4, 5 and 6
pictures      part 7; limitations: part 8; repeat: part 9; guidelines: part 10
citations     numbered references, BibTeX
page          the blocks of a part: sentences, tables, figures, texts to copy; the HTML, of report.html
exports       tables as CSV and as a workbook, everything as one zip; the report on the command line

Every sentence on results also appears on a screen, and every number comes from the core.
"""
