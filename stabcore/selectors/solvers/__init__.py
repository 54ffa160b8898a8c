"""Numerical engines that selectors share: they know columns and outcomes, and no selector."""
