"""Time to event: methods for rows that are followed until an event, or until they leave.

cox          Cox's partial likelihood: risk sets, score tests, fits
concordance  concordance of a risk with times, survival curves, and errors of predicted curves
"""
