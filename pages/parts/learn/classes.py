"""A class: guesses and first draws of everybody with its link, pooled while the teacher's page is open. Nobody is named."""

import secrets
import time
from dataclasses import dataclass, field
from threading import Lock
from urllib.parse import urlsplit

import streamlit as st

from pages.parts import figures, people, session, text
from pages.workspace.links import qr_code
from stabcore.plots.lessons import draw_class, finding_class, frame_class
from stabcore.teaching.classroom import Reply
from stabcore.teaching.lesson import Lesson

OPEN_SECONDS = 60  # seconds without the teacher's page, after which a class is closed
REFRESH_SECONDS = 2
MAX_PEOPLE = 1000  # largest number of replies to a question
CODE_WIDTH, LINK_WIDTH = 200, 300  # pixels of the QR code and of the link, which is below it on a narrow screen
LOCAL_ONLY = ("127.0.0.1", "localhost", "::1")


@dataclass
class Class:
    """Replies by (lesson, settings) and person, the teacher's own lesson, and when the teacher's page was last seen."""

    last_seen: float = field(default_factory=time.monotonic)
    replies: dict[tuple, dict[str, Reply]] = field(default_factory=dict)
    lesson: Lesson | None = None

    @property
    def is_open(self) -> bool:
        """Whether the teacher's page is open."""
        return time.monotonic() - self.last_seen < OPEN_SECONDS


@dataclass
class Classes:
    """All classes of this server, by the code in their link."""

    by_code: dict[str, Class] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def new(self) -> str:
        """Open a class and return its code. Closed ones are forgotten."""
        with self.lock:
            self.by_code = {code: group for code, group in self.by_code.items() if group.is_open}
            code = secrets.token_hex(4)
            self.by_code[code] = Class()
            return code

    def add(self, code, question, person, reply):
        """Keep the first reply of a person to a question, if the class is open."""
        with self.lock:
            group = self.by_code.get(code)
            if group is not None and group.is_open:
                replies = group.replies.setdefault(question, {})
                if len(replies) < MAX_PEOPLE:
                    replies.setdefault(person, reply)

    def replies(self, code, question, lesson=None) -> list[Reply]:
        """Return the replies to a question, and keep the class open. lesson: the teacher's lesson, which the link can open."""
        with self.lock:
            group = self.by_code.setdefault(code, Class())
            group.last_seen, group.lesson = time.monotonic(), lesson
            return list(group.replies.get(question, {}).values())


@st.cache_resource(show_spinner=False)
def _classes() -> Classes:
    return Classes()


def pooling_key(view) -> tuple:
    """The question of replies that may be pooled."""
    return view.lesson.key, tuple(view.settings.items())


def is_open(code) -> bool:
    """Whether there is an open class with this code, as when its teacher reloads the page."""
    group = _classes().by_code.get(code)
    return group is not None and group.is_open


def own_lesson(code, key) -> Lesson | None:
    """Return the own lesson of the class of a link."""
    group = _classes().by_code.get(code)
    return group.lesson if group is not None and group.lesson is not None and group.lesson.key == key else None


def send_reply(view, guess):
    """Send a guess and the first draw to the class of the link, if there is one."""
    code = st.session_state.get(session.LESSON_CLASS)
    if code:
        person = st.session_state.setdefault(session.LESSON_PERSON, secrets.token_hex(8))
        _classes().add(code, pooling_key(view), person, Reply(view.lesson.guess_at(view.settings, guess), view.answer.drawn))


def show_class(view, link):
    """Open a class, and show its link and its replies. link: a function of the code that gives the address."""
    code = st.session_state.get(session.TEACHERS_CLASS)
    if code is None:
        st.caption("While it is open, this page collects the guesses and first draws of everybody with the link, without names.")
        st.button("Open class", key="open-class", icon=":material/groups:", on_click=_open_class)
        return
    address = link(code)
    host = urlsplit(address).hostname or ""
    if host in LOCAL_ONLY or host.endswith(".localhost"):
        st.warning(
            "Only this computer can open this address. Give the class the file that `python -m stabcore lessons` writes. Or start "
            "the server with --address, and with a key for the class in STABILITY_TOKEN.",
            icon=":material/wifi_off:",
        )
    st.caption(f"The link opens this question with these settings for people who can {people.describe_access()}.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.image(qr_code(address), caption="Scan to join", width=CODE_WIDTH)
        st.code(address, language=None, wrap_lines=True, width=LINK_WIDTH)
    _show_replies(view, code)


def _open_class():
    st.session_state[session.TEACHERS_CLASS] = _classes().new()


@st.fragment(run_every=REFRESH_SECONDS)
def _show_replies(view, code):
    """The replies, every two seconds. The known answer appears only after the teacher's own guess."""
    replies = _classes().replies(code, pooling_key(view), st.session_state.get(session.OWN_LESSON))
    if not replies:
        st.markdown("No guess yet.")
        return
    frame = frame_class(replies, view.answer if view.guess is not None else None)
    finding = finding_class(frame)
    st.markdown(text.plain(finding))
    figures.show_figure(draw_class(frame, view.answer), finding, frame, "guesses", with_finding=False, with_numbers=False)
    figures.show_csv_button(frame, "guesses", subject=view.lesson.key)
