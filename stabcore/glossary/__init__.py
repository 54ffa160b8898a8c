"""The terms on the screens, each explained once: a sentence, a symbol, a formula with its letters, a small picture.

term          one term and its small picture
runs_and_rows, agreement, similarity, choosing     the terms by theme
catalog       all of them: by key, in a text, and by a search
letters       the letters of formulas
headings      names of columns on screens
"""
