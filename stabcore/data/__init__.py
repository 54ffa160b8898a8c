"""Datasets: an uploaded table with its outcome and features, what was understood of each column, and what to check."""

from stabcore.data.checks import Finding, check
from stabcore.data.dataset import Dataset
from stabcore.data.describe import describe

__all__ = ["Dataset", "Finding", "check", "describe"]
