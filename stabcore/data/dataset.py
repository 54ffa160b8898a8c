"""Dataset: an uploaded table with its target and features, every column accounted for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.target import NUMBER, TIME, kind_of_target, plain_arrays, target_columns, target_label
from stabcore.base.text import counted, format_span, joined, listed, plural, quote, verb_for
from stabcore.data.columns import REASONS, USABLE, describe_columns
from stabcore.data.describe import PEOPLE, holds_person_names, is_identifier
from stabcore.data.event import event_class
from stabcore.data.feature_table import FeatureTable
from stabcore.data.joined import joined_table
from stabcore.data.missing import blank_tests, describe_shares, predicting_rows
from stabcore.data.nuisance import nuisance_columns
from stabcore.data.redcap import TO_JOIN, recognise_redcap
from stabcore.data.roles import assign_roles, patient_codes
from stabcore.io.choices import Choices, Mend
from stabcore.io.mends import automatic_mends, differing_columns
from stabcore.io.table import mend_reading, read_frame, read_table
from stabcore.io.type import Reading

if TYPE_CHECKING:
    import pandas as pd

MAX_PARTS = 100  # largest number of centres or other parts defined by a left-out column
MAX_NAMED = 4  # classes of an outcome that are named with their sizes


@public
@dataclass(frozen=True, eq=False, init=False)
class Dataset:
    """n rows with a class, a number or a time to an event to predict, d features.

    Made from X and y, Dataset(X, y, groups=…), from a table with the outcome among its columns (`from_frame`), or from a
    file (`from_file`).

    table        the features
    target       (n,) codes 0, 1, … of `classes`, the class names in sorted order. Without classes (n,) floats, or (n,) records of
                 `time` and `event`
    target_name  the column of the outcome, or those of a time to an event, in words. target_columns: their names
    event        for a time to an event, the values that mean that it happened. censored: the other values
    given        the columns that are always in the model, which are not features. None without any
    columns      DataFrame, one row per uploaded column: column, role ("feature", "target", "given", "patient", "left out", …),
                 kind, why, distinct, missing, example. The role "set aside" means left out until its cells are corrected
    levels       the level names of each category, by feature. given_levels: those of the given columns
    patients     (n,) code of the patient of each row, None if each row is its own patient
    notes        assumptions, one sentence each
    units        the measurement unit of each column that has one, by name
    mended       treatment of cells that are not numbers, automatic or chosen, one sentence each
    choices      chosen position of the table in its file, and chosen treatment of its cells, see Choices.settings
    aside        DataFrame (n, …) of left-out columns with 2 to MAX_PARTS different values, such as the centre of a patient. They
                 are not features, but a plan can divide the rows by them. None without such columns
    n_came       number of rows of the table, including those without a target. None if unknown, as for a part of the rows
    n_elsewhere  number of rows left out because they belong to other cohorts
    n_repeated   number of rows left out because one row per patient was requested
    lines        (n,) the line of each row in its file, as in an editor or a spreadsheet. None if unknown

    Parameters
    ----------
    X : object
        Features (n, d): a DataFrame (pandas, polars, pyarrow, …), AnnData, an array or a sparse matrix.
    y : object
        Outcome of each row, an array or Series (n,), or the name of its column. A time to an event is a structured array of
        scikit-survival, two columns (time, event), or the names of both.
    groups : object, optional
        Patient of each row, likewise. Rows of one patient stay together.
    name : str, optional
        Name of the data.
    roles : object, optional
        Roles of columns, see from_frame.

    Examples
    --------
    >>> sc.Dataset(pd.DataFrame({"CRP": range(10), "age": [30, 50] * 5}), ["ill", "well"] * 5)
    <Dataset: 10 rows, 2 features, outcome 'outcome': 'ill' 5, 'well' 5>
    """

    table: FeatureTable
    target: np.ndarray
    classes: tuple[str, ...]
    target_name: str
    columns: pd.DataFrame
    levels: dict[str, tuple[str, ...]]
    patients: np.ndarray | None = None
    name: str = ""
    notes: tuple[str, ...] = ()
    units: dict[str, str] = field(default_factory=dict)
    mended: tuple[str, ...] = ()
    choices: dict[str, Any] = field(default_factory=dict)
    aside: pd.DataFrame | None = None
    n_came: int | None = None
    n_elsewhere: int = 0
    n_repeated: int = 0
    lines: np.ndarray | None = None
    target_columns: tuple[str, ...] = ()
    event: tuple[str, ...] = ()
    censored: tuple[str, ...] = ()
    given: FeatureTable | None = None
    given_levels: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __init__(self, X: Any, y: Any, *, groups: Any = None, name: str = "", **roles: Any) -> None:
        vars(self).update(vars(Dataset.from_frame(X, y, groups=groups, name=name, **roles)))

    @classmethod
    def of(cls, data: Any) -> Dataset:
        """The same Dataset, or that of simulated data. Raises InputError for anything else, with the code that makes one.

        Parameters
        ----------
        data : object
            A Dataset, or simulated data.

        Examples
        --------
        >>> sc.Dataset.of(sc.teaching_data("twins")) == data
        True
        """
        if isinstance(data, cls):
            return data
        if hasattr(data, "dataset"):
            return data.dataset()
        raise InputError(
            f"The data are a table with its outcome, a Dataset. Found {type(data).__name__}. Make one with sc.Dataset(X, y), or "
            'sc.Dataset.from_file(path, target="outcome").'
        )

    @classmethod
    def _made(cls, **values: Any) -> Dataset:
        """Make a dataset from fields that were already checked."""
        data = object.__new__(cls)
        for declared in fields(cls):
            default = declared.default if declared.default_factory is MISSING else declared.default_factory()
            vars(data)[declared.name] = values.get(declared.name, default)
        return data

    def changed(self, **values: Any) -> Dataset:
        """The same with other values of some fields. Raises InputError for an unknown field.

        Parameters
        ----------
        values : object, optional
            Fields and their new values.

        Examples
        --------
        >>> data.changed(name="trial").name
        'trial'
        """
        names = [declared.name for declared in fields(self)]
        if unknown := values.keys() - names:
            raise InputError(f"A Dataset has no field {min(unknown)!r}. Its fields are {listed(names, len(names))}.")
        return Dataset._made(**{name: getattr(self, name) for name in names} | values)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        y: Any = None,
        *,
        target: str | Iterable[str] | None = None,
        groups: Any = None,
        exclude: Iterable[str] = (),
        same_patient: str | None = None,
        name: str = "",
        target_as: str | None = None,
        set_aside: bool = False,
        mends: Iterable[Mend | dict] | str = (),
        alike: str | None = None,
        event: Iterable[object] = (),
        given: str | Iterable[str] = (),
    ) -> Dataset:
        """Make a dataset from a DataFrame of any library. target, exclude and same_patient name its columns.

        Parameters
        ----------
        frame : object
            DataFrame of any library.
        y : object, optional
            The values of each row (n,), instead of the names `target` and `same_patient`, see Dataset.
        target : str or list of str, optional
            One column, or a time to an event: ("time", "event"), or ("first date", "last date", "event").
        groups : object, optional
            The values of each row (n,), instead of the names `target` and `same_patient`, see Dataset.
        exclude : list of str, optional
            Names of columns to leave out.
        same_patient : str, optional
            Name of the column of patients.
        name : str, optional
            Name of the data.
        target_as : str, optional
            "classes" or "number". None: a column of more than 20 different numbers is a number, and others are classes.
        set_aside : bool, optional
            Leave out columns with cells that must be corrected, instead of refusing them.
        mends : list or str, optional
            The treatment of cells that are not numbers, as in Choices.settings. "suggested" takes the first answer of Data for
            every column except the target, such as 93.2 for '93.2 mg/l'.
        alike : str, optional
            "join" joins classes that differ only in capitals or invisible signs. "keep" separates such classes, and columns with
            such names.
        event : list, optional
            Values of the event column that mean that the event happened. By default 1 of 0 and 1, 2 of 1 and 2, or the one of two
            words that does not mean an absence. All others count as censored.
        given : str or list of str, optional
            Names of columns that are always in the model, such as age and sex. They are not features. Every selector adjusts
            the association of a feature with the outcome for them.

        Raises
        ------
        InputError
            For unknown names, fewer than 10 rows, no features, infinite numbers, numbers mixed with text, and names or classes
            that look the same. Classes must be 2 to 20 of at least two rows each. A number target needs 3 different numbers.

        Notes
        -----
        Rows without a target are dropped. Columns that cannot be features (empty, constant, dates, free text) are left out, and
        `columns` and `notes` name them.

        Examples
        --------
        >>> frame = pd.DataFrame({"CRP": range(10), "age": [30, 50] * 5, "outcome": ["ill", "well"] * 5})
        >>> sc.Dataset.from_frame(frame, target="outcome", exclude=["age"]).features
        ('CRP',)
        """
        frame, target, same_patient = joined_table(frame, target if y is None else y, same_patient if groups is None else groups)
        roles = {
            "target": target,
            "exclude": exclude,
            "same_patient": same_patient,
            "target_as": target_as,
            "name": name,
            "set_aside": set_aside,
            "event": (event,) if isinstance(event, (str, int)) else tuple(event),
            "given": given,
        }
        if mends or alike is not None:
            return cls.from_reading(mend_reading(read_frame(frame), mends, target_columns(target)[-1], exclude, alike), **roles)
        return cls._of(frame, **roles)

    @classmethod
    def _of(
        cls, frame, *, target, exclude=(), same_patient=None, name="", target_as=None, set_aside=False, apart=(), event=(), given=()
    ):
        """Make a dataset from a corrected DataFrame. apart: columns whose names or classes differ although they look the same."""
        roles = assign_roles(frame, target, exclude, same_patient, target_as, apart, event, given)
        n_came, export = len(frame), recognise_redcap(frame)
        frame = frame.iloc[roles.rows]
        targets, patient = [str(name) for name in target_columns(target)], None if same_patient is None else str(same_patient)
        columns = describe_columns(frame)
        role = {column.name: _role(column, targets, patient, roles, set_aside) for column in columns}
        features = [column for column in columns if role[column.name] == "feature"]
        _refuse_features(features, TO_JOIN if export and export.events else "Leave out fewer columns.")
        by_name = {column.name: column for column in columns}
        always = [by_name[name] for name in roles.given]
        _refuse_given(always, role)
        patients = patient_codes(next((c for c in columns if c.name == patient), None), frame.index)
        left_out = [c for c in columns if role[c.name] == "left out"]
        dropped = [c for c in left_out if c.name not in roles.excluded]
        parting = [role[c.name] == "left out" and 2 <= c.distinct <= MAX_PARTS for c in columns]
        return cls._made(
            table=_table(features),
            target=roles.target,
            classes=roles.classes,
            target_name=target_label(targets),
            target_columns=tuple(targets),
            event=roles.event,
            censored=roles.censored,
            units={targets[0]: roles.time_unit} if roles.time_unit else {},
            columns=_column_account(columns, role, roles, patients),
            levels=_levels(features),
            given=_table(always) if always else None,
            given_levels=_levels(always),
            patients=patients,
            name=str(name),
            notes=(*roles.notes, *_notes(columns, role, features, dropped), *([TO_JOIN] if export and export.events else [])),
            aside=frame.loc[:, parting].rename(columns=str) if any(parting) else None,
            n_came=n_came,
            lines=np.asarray(frame.index) if frame.index.name == "line" else None,
        )

    @classmethod
    def from_reading(cls, reading: Reading, **roles: Any) -> Dataset:
        """Make a dataset from a table as it was read, with its notes. roles: as in from_frame.

        Parameters
        ----------
        reading : Reading
            Table as it was read.
        roles : object, optional
            Roles of columns, see from_frame.
        """
        data = cls._of(reading.frame, **roles, apart=differing_columns(reading.choices.mends))
        return data.changed(
            notes=(*reading.notes, *data.notes),
            units=reading.units | data.units,
            mended=(*(sentence for _, sentence in automatic_mends(reading)), *reading.mended),
            choices=reading.choices.settings(),
            n_came=data.n_came + reading.elsewhere + reading.repeated,
            n_elsewhere=reading.elsewhere,
            n_repeated=reading.repeated,
        )

    @classmethod
    def from_file(
        cls,
        path: str | PathLike[str],
        *,
        target: str | Iterable[str],
        exclude: Iterable[str] = (),
        same_patient: str | None = None,
        name: str | None = None,
        target_as: str | None = None,
        set_aside: bool = False,
        mends: Iterable[Mend | dict] | str = (),
        alike: str | None = None,
        event: Iterable[object] = (),
        given: str | Iterable[str] = (),
        **choices: Any,
    ) -> Dataset:
        """Make a dataset from a file that read_table understands. Raises InputError as read_table and from_frame do.

        Parameters
        ----------
        path : str or path
            Path of the file.
        target : str or list of str
            Name of the outcome column.
        name : str, optional
            Name of the data, by default that of the file.
        exclude, same_patient, target_as, set_aside, mends, alike, event, given : optional
            As in from_frame.
        choices : object, optional
            The position of the table (sheet, header, units, last, decimal), as in Choices.settings.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> path = Path(tempfile.mkdtemp()) / "trial.csv"
        >>> data.to_frame().to_csv(path, index=False)
        >>> sc.Dataset.from_file(path, target="outcome")
        <Dataset 'trial': 160 rows, 50 features, outcome 'outcome': 'healthy' 80, 'ill' 80>
        """
        reading = mend_reading(read_table(path, choices=Choices.of(choices)), mends, target_columns(target)[-1], exclude, alike)
        return cls.from_reading(
            reading,
            target=target,
            exclude=exclude,
            same_patient=same_patient,
            target_as=target_as,
            set_aside=set_aside,
            event=tuple(event),
            given=given,
            name=Path(path).name.split(".")[0] if name is None else name,
        )

    def __repr__(self) -> str:
        """A one-line summary, because all cells would fill the screen."""
        named = f" {quote(self.name)}" if self.name else ""
        if self.timed:
            outcome = counted(int(self.target["event"].sum()), "event")
        elif self.numeric_target:
            outcome = "a number"
        else:
            counts = np.bincount(self.target, minlength=len(self.classes))
            outcome = ", ".join(f"{quote(name)} {count:,}" for name, count in zip(self.classes, counts, strict=True))
        beyond = f", given {listed(self.given_names)}" if self.given_names else ""
        return (
            f"<Dataset{named}: {counted(self.n_rows, 'row')}, {counted(self.n_features, 'feature')}{beyond}, outcome "
            f"{quote(self.target_name)}: {outcome}>"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return (self.name, self.fingerprint) == (other.name, other.fingerprint)

    def __hash__(self) -> int:
        return hash((self.name, self.target_name, self.n_rows, self.features))

    def to_frame(self) -> pd.DataFrame:
        """A DataFrame (n, d + g + 1) of the features and the given columns, with the outcome as its last column.

        Examples
        --------
        >>> data.to_frame().shape
        (160, 51)
        """
        import pandas as pd

        table = self.table.beside(self.given)
        frame = pd.DataFrame(table.values, columns=list(table.features))
        for name, levels in (self.levels | self.given_levels).items():
            frame[name] = frame[name].map(dict(enumerate(levels)))
        outcome = np.array(self.classes, dtype=object)[self.target] if self.classes else self.target
        return frame.assign(**{self.target_name: outcome})

    @property
    def features(self) -> tuple[str, ...]:
        """The d names, in the order of the uploaded table."""
        return self.table.features

    @property
    def given_names(self) -> tuple[str, ...]:
        """The names of the columns that are always in the model."""
        return () if self.given is None else self.given.features

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.table.n_rows

    @property
    def n_features(self) -> int:
        """The number of features."""
        return self.table.n_features

    @property
    def n_incomplete(self) -> int:
        """The number of features and given columns with missing cells."""
        return sum(int(table.extremes[2].sum()) for table in (self.table, self.given) if table is not None)

    @property
    def event_class(self) -> int:
        """The code of the event class, see stabcore.data.event."""
        return event_class(self.classes)

    @property
    def numeric_target(self) -> bool:
        """Whether the target is a number."""
        return kind_of_target(self.target) == NUMBER

    @property
    def timed(self) -> bool:
        """Whether the target is a time to an event."""
        return kind_of_target(self.target) == TIME

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the features, values, levels, target, patients and given columns, independent of the file format."""
        head = {
            "features": self.features,
            "categorical": np.asarray(self.table.categorical).tolist(),
            "levels": self.levels,
            "target": self.target_name,
            "classes": self.classes,
            "rows": self.n_rows,
            "patients": self.patients is not None,
        }
        if self.given is not None:
            kinds = np.asarray(self.given.categorical).tolist()
            head["given"] = {"names": self.given_names, "categorical": kinds, "levels": self.given_levels}
        digest = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
        values, given = (_same_bits(table) for table in (self.table, self.given))
        target = [(part, "<i8" if self.classes or part.dtype.kind == "b" else "<f8") for part in plain_arrays(self.target)]
        for array, kind in ((values, "<f8"), *target, (self.patients, "<i8"), (given, "<f8")):
            if array is not None:
                digest.update(np.ascontiguousarray(array, dtype=kind).tobytes())
        return digest.hexdigest()

    @property
    def counted_noun(self) -> str:
        """What counts are of: "patient", or "row" without a patient column."""
        return "row" if self.patients is None else "patient"

    @property
    def n_patients(self) -> int:
        """The number of patients, or of rows without a patient column."""
        return self.n_rows if self.patients is None else len(np.unique(self.patients))

    def count(self, rows: np.ndarray) -> int:
        """The number of patients with a row among these, or of rows without a patient column.

        Parameters
        ----------
        rows : array
            One True or False per row (n,).

        Examples
        --------
        >>> data.count(data.target == 0)
        80
        """
        return int(np.sum(rows)) if self.patients is None else len(np.unique(self.patients[rows]))

    @property
    def extent(self) -> str:
        """The numbers of rows and features, and those of the outcome, in sentences. They count patients with several rows once."""
        of_patients = "" if self.patients is None else f" of {counted(self.n_patients, 'patient')}"
        size = f"{counted(self.n_rows, 'row')}{of_patients} and {counted(self.n_features, 'feature')}"
        if self.timed:
            return f"The table holds {size}. The event happened in {counted(self.count(self.target['event']), self.counted_noun)}."
        if self.numeric_target:
            return f"The table holds {size}. The outcome is a number."
        counts = [self.count(self.target == code) for code in range(len(self.classes))]
        if len(counts) > MAX_NAMED:
            noun = plural(max(counts), self.counted_noun)
            sizes = f"{len(counts)} classes, of {format_span(min(counts), max(counts))} {noun}"
            return f"The table holds {size}. The outcome has {sizes}."
        named = joined([f"{name} in {counted(n, self.counted_noun)}" for name, n in zip(self.classes, counts, strict=True)])
        both = sum(counts) - self.n_patients
        twice = f" {counted(both, 'patient')} {verb_for(both, 'occur')} in both classes." if both and len(counts) == 2 else ""
        return f"The table holds {size}. The outcome is {named}.{twice}"

    @cached_property
    def missingness(self) -> dict[str, str]:
        """{feature: sentence on its missing cells} of features whose missing cells differ by class. See blanks_by_class."""
        values = np.asarray(self.table.values, dtype=float)
        differing = predicting_rows(blank_tests(values, self.features, self.target, self.classes, self.patients))
        return {row["feature"]: describe_shares(row) or "differs with the outcome" for _, row in differing.iterrows()}

    def part(self, rows: np.ndarray, name: str) -> Dataset:
        """The same features on some rows, each at most once. `name` is added to its name.

        Parameters
        ----------
        rows : array
            Rows, by 0-based number, or one True or False per row.
        name : str
            Name of the data.

        Raises
        ------
        InputError
            For rows that are neither numbers nor one True or False per row.

        Examples
        --------
        >>> data.part(np.arange(80), "first 80 rows").n_rows
        80
        """
        rows = np.asarray(rows)
        if rows.ndim != 1 or rows.dtype.kind not in "iub":
            raise InputError("The rows of a part are 0-based numbers, or one True or False per row.")
        table = FeatureTable(np.asarray(self.table.values)[rows], self.table.categorical, self.features)
        patients = None if self.patients is None else np.unique(self.patients[rows], return_inverse=True)[1]
        return self.changed(
            table=table,
            target=self.target[rows],
            patients=patients,
            name=f"{self.name} ({name})",
            aside=None if self.aside is None else self.aside.iloc[rows],
            given=None if self.given is None else self.given.rows(rows),
            lines=None if self.lines is None else self.lines[rows],
            n_came=None,
        )

    def numbers(self) -> np.ndarray:
        """(n, d) floats for correlation: numbers unchanged, categories of two levels as 0/1, NaN missing.

        A category of three or more levels has no order, hence no rank correlation: its column is all NaN.

        Examples
        --------
        >>> data.numbers().shape
        (160, 50)
        """
        values = np.array(self.table.values, dtype=float)
        for j, name in enumerate(self.features):
            if len(self.levels.get(name, ())) > 2:
                values[:, j] = np.nan
        return values


def _table(columns):
    values = np.column_stack([column.values for column in columns])
    return FeatureTable(values, np.array([bool(column.levels) for column in columns]), tuple(column.name for column in columns))


def _levels(columns):
    return {column.name: column.levels for column in columns if column.levels}


def _same_bits(table):
    """The values of a table, equal in their bytes where they are equal."""
    if table is None:
        return None
    values = np.ascontiguousarray(table.values, dtype="<f8") + 0.0  # −0 and 0 are the same number
    values[np.isnan(values)] = np.nan  # all kinds of NaN are equal
    return values


def _role(column, targets, patient, roles, set_aside) -> str:
    if column.name in targets:
        return "target"
    if column.name == patient:
        return "patient"
    if column.name in roles.excluded or column.kind not in (*USABLE, "mixed"):
        return "left out"
    if set_aside and column.problem:
        return "set aside"
    return "given" if column.name in roles.given else "feature"


def _refuse_given(columns, role):
    for column in columns:
        if role[column.name] != "given":
            because = REASONS.get(column.kind, "its cells need a correction first")
            raise InputError(
                f"{quote(column.name)} cannot be always in the model, because {because}. Choose another column, or leave it out."
            )
        if column.problem:
            raise InputError(column.problem)
        if column.distinct < 2:
            raise InputError(f"{quote(column.name)} cannot be always in the model, because it has one value. Leave it out.")


def _refuse_features(features, remedy):
    if not features:
        raise InputError(
            f"No feature is left: every column is the outcome, the patient column, always in the model, or left out. {remedy}"
        )
    if wrong := [column for column in features if column.problem]:
        more = f" Similar problems: {listed(c.name for c in wrong[1:])}." if wrong[1:] else ""
        raise InputError(f"{wrong[0].problem}{more} In Python, mends='suggested' uses the first answer of Data.")


def _column_account(columns, role, roles, patients):
    """One row per uploaded column: its role, and why if its kind and example do not say it."""
    import pandas as pd

    if roles.event:
        events, time = int(roles.target["event"].sum()), roles.target["time"]
        holds = f"{counted(events, 'event')} and {len(time) - events} censored, followed for {time.min():g} to {time.max():g}"
    elif roles.classes:
        sizes = zip(roles.classes, np.bincount(roles.target), strict=True)
        holds = ", ".join(f"{quote(name)} in {size} rows" for name, size in sizes)
    else:
        holds = f"a number from {roles.target.min():g} to {roles.target.max():g}"
    n_patients = 0 if patients is None else patients.max() + 1
    special = {
        "target": f"The outcome: {holds}.",
        "patient": f"{n_patients} patients. Rows of one patient stay together.",
        "given": "Always in the model. Features are adjusted for it.",
    }
    request = {name: "Left out on request. " for name in roles.excluded}
    reason = {c.name: "" if c.name in request and c.problem else c.why for c in columns}  # cells to correct are not needed
    why = {c.name: special.get(role[c.name], (request.get(c.name, "") + reason[c.name]).strip()) for c in columns}
    rows = [(c.name, role[c.name], c.kind, why[c.name], c.distinct, c.missing, c.example) for c in columns]
    return pd.DataFrame(rows, columns=["column", "role", "kind", "why", "distinct", "missing", "example"])


def _notes(columns, role, features, dropped):
    for kind, because in REASONS.items():
        if names := [column.name for column in dropped if column.kind == kind]:
            yield f"Left out because {because}: {listed(names)}."
    if names := [column.name for column in features if is_identifier(column)]:
        yield f"Possible identifiers, used as features (a different whole number in every row): {listed(names)}."
    if names := [column.name for column in features if holds_person_names(column)]:
        yield PEOPLE.format(listed(names))
    for nuisance in nuisance_columns(features):
        yield f"{quote(nuisance.name)} {nuisance.what}. It is used as a feature."
    if names := [column.name for column in columns if role[column.name] == "set aside"]:
        yield f"Set aside until their cells are corrected: {listed(names)}."


def align_features(data, features) -> Dataset | None:
    """The Dataset with these features in this order, under the names of the table. None if it has none of them.

    A feature that is not in the table has no values, so it correlates with nothing.
    """
    features, place = tuple(features), {name: j for j, name in enumerate(data.features)}
    if features == data.features:
        return data
    there = [j for j, name in enumerate(features) if name in place]
    if not there:
        return None
    values, categorical = np.full((data.n_rows, len(features)), np.nan), np.zeros(len(features), dtype=bool)
    places = [place[features[j]] for j in there]
    values[:, there], categorical[there] = data.table.values[:, places], data.table.categorical[places]
    levels = {name: data.levels[name] for name in features if name in data.levels}
    return data.changed(table=FeatureTable(values, categorical, features), levels=levels)
