"""How sure a stability is, and how far two of them differ.

estimate      stability(), Estimate: values with intervals; steady: where runs never or hardly differ
comparison    differences on the same runs, Holm; changes: what another C changes, also for one selector more than another;
              predictions, sign_flip: the same for held-out predictions
precision     are the runs enough?
floor         what a study without any signal shows, in closed form; control: the same by shuffled outcomes
growth        how far growing groups of patients agree, of a model with known effects
new_patients  how far a stability would move with other patients
halves        what two separate halves of the patients agree on
error_control how many of the features that come back often are false
guessing      does a selector predict better than always naming the larger class?
effect_sizes  direction and size of a feature's relation to the outcome; repeated: where several rows are of one patient
influence     what each patient contributes to an effect; shrinkage: effects by empirical Bayes over all features
risk          how far a patient's predicted risk moves from model to model
dice          how much of the disagreement a selector makes itself
"""
