"""Datasets: an uploaded table with its outcome and features, what was understood of each column, and what to check."""

from stabcore.dataset.checks import Finding, check
from stabcore.dataset.data import Dataset
from stabcore.dataset.describe import describe

__all__ = ["Dataset", "Finding", "check", "describe"]
