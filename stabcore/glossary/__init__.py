"""The words on the screens, each explained once: a sentence, a symbol, a formula with its letters, a small picture.

term          what there is to say about one word
runs_and_rows, agreement, standing_in, choosing     the words, by what they are about
catalog       all of them: by key, in a text, and those that somebody looks for
letters       the letters of formulas
headings      names of columns as they stand on screens
diagrams      the small pictures
"""
