"""Cells, and names of columns, files and works, that are not what they seem."""

NO_NUMBER = "no number"

# {cell: the number that it may be read as; NO_NUMBER where it is none}
CELLS = {
    "1e3": 1000.0, "1E+03": 1000.0, "+5": 5.0, "5.": 5.0, ".5": 0.5, "-0": 0.0, "\u22125": -5.0, "1e-300": 1e-300, "0.1e1": 1.0,
    "1e400": NO_NUMBER, "-1e400": NO_NUMBER, "inf": NO_NUMBER, "-Infinity": NO_NUMBER, "1_000": NO_NUMBER, "0x1A": NO_NUMBER,
    "0b11": NO_NUMBER, "1.2.3": NO_NUMBER, "--1": NO_NUMBER, "1-2": NO_NUMBER, "1/2": NO_NUMBER, "½": NO_NUMBER, "٣": NO_NUMBER,
    "１２": NO_NUMBER, "²": NO_NUMBER, "IV": NO_NUMBER, "1e": NO_NUMBER, "e5": NO_NUMBER, "1d5": NO_NUMBER, "1 000": NO_NUMBER,
    "1'000": NO_NUMBER, "1\u00a0000": NO_NUMBER, "1\u202f000": NO_NUMBER, "1,000": NO_NUMBER, "1.000,5": NO_NUMBER,
    "1,000.5": 1000.5, "1,00,000": NO_NUMBER, "50%": NO_NUMBER, "$5": NO_NUMBER, "5 €": NO_NUMBER, "5 mg": NO_NUMBER,
    "<5": NO_NUMBER, ">5": NO_NUMBER, "≤5": NO_NUMBER, "~5": NO_NUMBER, "5*": NO_NUMBER, "(5)": NO_NUMBER, "5 H": NO_NUMBER,
    "5-6": NO_NUMBER, "5±1": NO_NUMBER, "2024-01-01": NO_NUMBER, "01.02.2024": NO_NUMBER, "12:30": NO_NUMBER, "Jan-24": NO_NUMBER,
    "TRUE": NO_NUMBER, "true": NO_NUMBER, "007": NO_NUMBER, "12345678901234567890": NO_NUMBER, "9007199254740993": NO_NUMBER,
    "NA": None, "NaN": None, "nan": None, "null": None, "NULL": None, "None": NO_NUMBER, "n/a": None, "-": None, ".": None,
    "?": None, "#N/A": None, "#DIV/0!": NO_NUMBER, "#REF!": NO_NUMBER, "-999": -999.0, "999": 999.0, "-1": -1.0, "": None,
    " ": None, "\u00a0": None, "\u200b": NO_NUMBER, "\u200b5": NO_NUMBER, "5\u200b": NO_NUMBER, "\u202e5": NO_NUMBER, "\ufeff5": NO_NUMBER,
    "=1+1": NO_NUMBER, "=cmd|' /C calc'!A0": NO_NUMBER, "@SUM(A1)": NO_NUMBER, "+1+1": NO_NUMBER, "{{7*7}}": NO_NUMBER,
    "<script>alert(1)</script>": NO_NUMBER, "'; DROP TABLE task; --": NO_NUMBER, "../../etc/passwd": NO_NUMBER, "💥": NO_NUMBER,
    "a\nb": NO_NUMBER, "a\r\nb": NO_NUMBER, 'a"b': NO_NUMBER, "x" * 40_000: NO_NUMBER, "9" * 400: NO_NUMBER, "unknown": NO_NUMBER,
    "e\u0301": NO_NUMBER, "\ud7ff": NO_NUMBER, "%s%n": NO_NUMBER, "${jndi:x}": NO_NUMBER, "\\": NO_NUMBER, "1\u066b5": NO_NUMBER,
    "1·5": NO_NUMBER, "5,": NO_NUMBER, ",5": NO_NUMBER, "1..5": NO_NUMBER, "1e5e5": NO_NUMBER, "٠": NO_NUMBER, "Ⅷ": NO_NUMBER,
}

# names that somebody may give a feature, a class, a file, a scenario, a work
HOSTILE = {
    "image": "![x](http://evil.test/x.png)", "link": "[a](http://evil.test)", "script": "<script>alert(1)</script>",
    "event": "<img src=x onerror=alert(1)>", "anchor": '<a href="javascript:alert(1)">x</a>', "svg": "<svg/onload=alert(1)>",
    "bold": "**b** _i_ ~~s~~ `c`", "maths": "$\\frac{a}{b}$", "two dollars": "costs $5 or $6", "colour": ":red[c] :blue-background[d]",
    "emoji": ":smile: :+1:", "icon": ":material/delete: x", "directive": ":green-badge[x]", "heading": "# h", "list": "- x\n- y",
    "table": "a|b|c", "quote": "> x", "rule": "---", "entity": "&lt;b&gt; &#60;i&#62;", "from right": "abc\u202edef\u202c", "isolate":
    "\u2067abc\u2069", "zero width": "AL\u200bT", "nothing to see": "\u200b\u200b", "newline": "a\nb", "tab": "a\tb", "formula":
    "=cmd|' /C calc'!A0", "sum": "@SUM(1+1)", "plus": "+1+1", "minus": "-2+3", "template": "{{7*7}}", "format": "{0.__class__}",
    "percent": "%s%n%d", "hover": "%{x} %{customdata[0]}", "d3": "%{y:.2f}<extra></extra>", "sql": "x'); DROP TABLE task; --",
    "quotes": "\"a\" 'b'", "backslash": "C:\\temp\\n", "path": "../../etc/passwd", "url": "http://evil.test/?q=1", "mail":
    "a@evil.test", "shell": "$(id) `id`", "env": "${HOME}", "long": "x" * 3000, "long words": "wort " * 300, "marks": "Z" + "\u0301" * 200,
    "surrogate pair": "👩‍👩‍👧‍👦🏳️‍🌈", "number": "12", "float": "1e5", "true": "true", "null": "null", "none": "None", "nan": "nan", "dunder": "__class__",
    "proto": "__proto__", "constructor": "constructor", "comment": "<!-- x -->", "br": "a<br>b", "bidi digits": "\u06611\u202e23",
}
NAMES_OF_COLUMNS = (*HOSTILE.values(), "index", "line", "level_0", "Unnamed: 0", "values", "T", "0", "-1", "a.b", "a,b", "a;b", " lead",
                    "trail ", "\u00a0nbsp", "ID ", "Outcome.1", "row name", "row name (first column)", "numbers", "(never selected 1)",
                    "of the sample", "target", "y", "Ä" * 60, "a" * 10_000, "\x85", "\u2028", "ﬁ", "µ", "μ", "K", "ſ", "İ", "ı")
