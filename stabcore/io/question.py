"""What a file leaves open: a question with its answers, asked instead of a guess."""

from __future__ import annotations

from stabcore.errors import InputError


class Question(InputError):
    """What a file may mean in more than one way; as a sentence it can be shown like any other InputError.

    option    the argument of the reader that takes the answer
    answers   {value of that argument: what it means, in plain words}
    file      name of the file, where several are read
    """

    def __init__(self, sentence, option, answers, file=""):
        super().__init__(sentence)
        self.option, self.answers, self.file = option, answers, file
