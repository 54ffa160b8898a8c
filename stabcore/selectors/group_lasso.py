"""The group lasso: features that belong together come in together or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stabcore.errors import InputError
from stabcore.relation.relation import Relation
from stabcore.selectors.base import option
from stabcore.selectors.linear import PathSelector


@dataclass
class GroupLasso(PathSelector):
    """The group lasso: min mean loss + λ Σ_g √v_g ‖w_g‖₂, v_g = Σ v_f over the features of group g: their number, if they
    are numbers. See PathSelector.

    A feature that is in no group is a group of its own, with all its columns; so is every feature when no groups are
    given, which `warnings_` say. The features of a group share one score. `select(k)` takes whole groups and never more
    than k features: it takes none when already the first group to enter is larger. `fit` raises InputError for names
    that are no features and for a feature in two groups. Yuan & Lin 2006, JRSS B 68:49-67; for the logistic loss Meier,
    van de Geer & Bühlmann 2008, JRSS B 70:53-71.
    """

    groups: dict | None = option(None, "which features come in together: a name for each group and its features; a feature in "
                                       "no group is a group of its own", kind="groups")

    def _groups(self, table, feature):
        if not self.groups:
            self.warnings_.append("No groups were given: every feature was a group of its own. Say in the groups of this "
                                  "selector which features belong together.")
        labels = Relation.from_groups(self._named(), features=table.features).labels
        alone = len(labels) + np.arange(len(labels))
        return np.unique(np.where(labels < 0, alone, labels)[feature], return_inverse=True)[1], 1.0

    def _named(self):
        groups = self.groups or {}
        if not isinstance(groups, Mapping) or any(isinstance(members, str) for members in groups.values()):
            raise InputError("groups must give each group a name and a list of features, for example "
                             "{'liver': ['ALT', 'AST'], 'kidney': ['creatinine']}.")
        return groups

    def _say_what_is_missing(self, at, asked):
        larger = next((len(entered) for entered in self._sets if len(entered) > 0), 0)
        if larger > asked > 0:
            self.warnings_.append(f"The first group to enter has {larger} features, more than the {asked} asked for: nothing is "
                                  "selected. Ask for more features, or make the groups smaller.")
        elif len(self._sets[-1]) < asked:
            super()._say_what_is_missing(at, asked)
