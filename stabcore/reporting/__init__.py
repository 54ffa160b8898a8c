"""The report: what leaves the screen, as one HTML file and as tables. sc.report(result, …) makes it.

blocks        what parts are made of: sentences, tables, figures, texts to copy
subject       what a report is about, and what is computed of it once
results       parts 1, 4 and 6: the answer, the panel, prediction; stability: part 5
patients      part 2; methods: part 3, with data_methods and tests_used; pictures: part 7; limitations: part 8
repeat        part 9; guidelines: part 10
citations     numbered references, BibTeX
page          the HTML, of report.html
exports       tables as CSV and as a workbook, everything as one zip
make          all of it together; command: the same for the command line

Every sentence on results is one that the screens show; numbers are those of the core.
"""
