"""Time to event: what is known of rows that are followed until something happens, or until they leave.

cox          Cox's partial likelihood: risk sets, score tests, fits; columns that are always in the model
concordance  how well a risk orders rows by their time; survival curves, and errors of predicted curves
"""
