"""Misleading cells, and hostile names of columns, files and projects."""

NO_NUMBER = "no number"

NUMBERS = {
    **{"1e3": 1000.0, "1E+03": 1000.0, "+5": 5.0, "5.": 5.0, ".5": 0.5, "-0": 0.0, "\u22125": -5.0, "1e-300": 1e-300, "0.1e1": 1.0},
    **{"1,000.5": 1000.5, "-999": -999.0, "999": 999.0, "-1": -1.0},
}
MISSING = ("NA", "NaN", "nan", "null", "NULL", "n/a", "-", ".", "?", "#N/A", "", " ", "\u00a0")
NONE = (
    *("1e400", "-1e400", "inf", "-Infinity", "9" * 400, "x" * 40_000, "12345678901234567890", "9007199254740993"),  # too large
    *("1_000", "0x1A", "0b11", "1d5", "TRUE", "true", "None", "007", "%s%n", "${jndi:x}", "{{7*7}}", "\\"),  # of programs
    *("1.2.3", "--1", "1-2", "1/2", "1e", "e5", "5,", ",5", "1..5", "1e5e5", "1·5", "1\u066b5"),  # nearly a number
    *("½", "٣", "٠", "１２", "²", "IV", "Ⅷ", "e\u0301", "\ud7ff", "💥", "unknown"),  # other letters
    *("1 000", "1'000", "1\u00a0000", "1\u202f000", "1,000", "1.000,5", "1,00,000"),  # thousands, that nobody was asked about
    *("50%", "$5", "5 €", "5 mg", "<5", ">5", "≤5", "~5", "5*", "(5)", "5 H", "5-6", "5±1"),  # of a laboratory
    *("2024-01-01", "01.02.2024", "12:30", "Jan-24", "#DIV/0!", "#REF!"),  # of a spreadsheet
    *("\u200b", "\u200b5", "5\u200b", "\u202e5", "\ufeff5", "a\nb", "a\r\nb", 'a"b'),  # that cannot be seen
    *("=1+1", "=cmd|' /C calc'!A0", "@SUM(A1)", "+1+1", "<script>alert(1)</script>", "'; DROP TABLE task; --", "../../etc/passwd"),
)
# {cell: its number, None if missing, or NO_NUMBER}
CELLS = {**NUMBERS, **dict.fromkeys(MISSING), **dict.fromkeys(NONE, NO_NUMBER)}

# hostile names of features, classes, files, scenarios and projects
KINDS = {
    "markdown": (
        *("![x](http://evil.test/x.png)", "[a](http://evil.test)", "**b** _i_ ~~s~~ `c`", "# h", "- x\n- y", "a|b|c", "> x", "---"),
    ),
    "markup": ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "a<br>b", "<!-- x -->"),
    "anchor": ('<a href="javascript:alert(1)">x</a>', "&lt;b&gt; &#60;i&#62;"),
    "directive": (":red[c] :blue-background[d]", ":smile: :+1:", ":material/delete: x", ":green-badge[x]"),
    "maths": ("$\\frac{a}{b}$", "costs $5 or $6"),
    "unseen": ("abc\u202edef\u202c", "\u2067abc\u2069", "AL\u200bT", "\u200b\u200b", "a\nb", "a\tb", "\u06611\u202e23"),
    "formula": ("=cmd|' /C calc'!A0", "@SUM(1+1)", "+1+1", "-2+3"),
    "template": ("{{7*7}}", "{0.__class__}", "%s%n%d", "%{x} %{customdata[0]}", "%{y:.2f}<extra></extra>", "$(id) `id`", "${HOME}"),
    "place": ("x'); DROP TABLE task; --", "\"a\" 'b'", "C:\\temp\\n", "../../etc/passwd", "http://evil.test/?q=1", "a@evil.test"),
    "long": ("x" * 3000, "wort " * 300, "Z" + "\u0301" * 200, "👩‍👩‍👧‍👦🏳️‍🌈"),
    "value": ("12", "1e5", "true", "null", "None", "nan", "__class__", "__proto__", "constructor"),
}
HOSTILE = {f"{kind} {number}": name for kind, names in KINDS.items() for number, name in enumerate(names, 1)}
NAMES_OF_COLUMNS = (
    *HOSTILE.values(),
    *("index", "line", "level_0", "Unnamed: 0", "values", "T", "0", "-1", "row name", "row name (first column)", "numbers"),
    *("(never selected 1)", "of the sample", "target", "y", "Outcome.1", "ID ", " lead", "trail ", "\u00a0nbsp"),
    *("a.b", "a,b", "a;b", "Ä" * 60, "a" * 10_000, "\x85", "\u2028", "ﬁ", "µ", "μ", "K", "ſ", "İ", "ı"),
)
