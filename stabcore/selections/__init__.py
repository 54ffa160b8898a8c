"""What runs of feature selection say: the one thing that measures eat.

selections   Selections: what M runs selected, how they ranked the features and how much these counted
model_paths   ModelPath: what a run selects at every number of features, where that is not the k best of a ranking
"""
