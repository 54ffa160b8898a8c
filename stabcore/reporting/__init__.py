"""The report as one HTML file and as tables: sc.report(result, …).

make          the ten parts, the page, the file; command: the same on the command line
subject       the results, the table and C of a report, and everything computed from them once
blocks        sentences, tables, figures, texts to copy: the blocks of a part
patients      part 2; methods: part 3; results: parts 1, 4 and 6; stability: part 5
pictures      part 7; limitations: part 8; repeat: part 9; guidelines: part 10
citations     numbered references, BibTeX
page          the HTML, of report.html; exports: tables as CSV and as a workbook, everything as one zip

Every sentence on results is one of the screens, and every number one of the core.
"""
