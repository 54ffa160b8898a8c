"""The one error that people, not programmers, are meant to read."""


class InputError(ValueError):
    """What was found, where, what is allowed and what to do: a sentence to show as it stands."""
