"""What tests of datasets share."""

N = 40  # rows of the table in tests/stabcore/dataset/conftest.py


def account(data, column):
    """The row of one column in the account of all columns."""
    return data.columns.set_index("column").loc[column]
