"""Text from data on a page is never markup, and labels have no needless backslashes for screen readers."""

import pytest

from pages.parts.text import escape_label


# what a real Chromium was seen to draw as text (and drew as an icon, an emoji, a list, bold or a link without)
@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("**b** [a](u)", r"\*\*b\*\* \[a\](u)"),
        ("__class__", r"\_\_class\_\_"),
        ("_a_ b", r"\_a\_ b"),
        ("<b>x</b>", r"\<b>x\</b>"),
        (":red[x]", ":\u200bred\\[x\\]"),
        (":smile: :+1:", ":\u200bsmile: :\u200b+1:"),
        (":material/delete:", ":\u200bmaterial/delete:"),
        ("a\\b `c` $d$ ~e~", r"a\\b \`c\` \$d\$ \~e\~"),
        ("123. one", r"123\. one"),
        ("# h", r"\# h"),
        ("- a", r"\- a"),
        ("&amp;", r"\&amp;"),
        ("http://x", "http:\u200b//x"),
        ("a@b.org", "a\u200b@b.org"),
    ],
)
def test_a_label_with_markup_is_kept_from_it(text, written):
    assert escape_label(text) == written
