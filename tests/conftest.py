"""For all tests: the random examples are the same in every run, so that a failure can be seen again."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")
