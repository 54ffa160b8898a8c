"""Exact mutual information of many binned features at once, from counts of packed bits.

Each bin of each feature is a run of bits, one a table row, in words of 64: a contingency count is the number of ones in
an AND. Entropies are sums of c·ln c, looked up as whole numbers built from whole-number logarithms of primes:
ln(ab) is then exactly ln a + ln b, so values that are mathematically equal are equal here, whatever the order of the
columns, and independent features have exactly zero information.

Information is never below 0, and under independence there is the more of it the more codes a feature has. In a table that mixes
features of many codes and of few it is therefore standardised: see `Information` and stabcore.selectors.solvers.independence.
"""

from __future__ import annotations

import math
from functools import cached_property, lru_cache
from itertools import product

import numpy as np

from stabcore.data.encoding import discretise
from stabcore.data.feature_table import read_only
from stabcore.selectors.solvers.independence import as_usual, moments

_BLOCK = 1 << 18  # words of counts at a time: small enough to stay in the cache of one core
_TOGETHER = 1 << 12  # pairs of features worked out together: of more, what a call costs by itself no longer counts
_SAME = 1e9  # parts of χ² to which standardised values are equal, whatever the order in which bins are added up
_CODES = 1 << 17  # codes at a time, for the same reason


class PackedTable:
    """The bins of a table: codes (n, d), sizes (d,), and bits (W, B), a column a bin.

    The bins of feature f are the columns from start[f] on, sizes[f] of them.
    """

    def __init__(self, table, bins):
        self.bins = bins
        self.codes, self.sizes = discretise(table, bins)
        self.start = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        self.bits = _bits(self.codes, self.sizes)
        self.codes, self.sizes, self.bits = map(read_only, (self.codes, self.sizes, self.bits))  # many selectors share them

    @property
    def mixed(self) -> bool:
        """Do features that vary differ in how many codes they have?"""
        varying = self.sizes[self.sizes > 1]
        return bool(len(varying)) and bool((varying != varying[0]).any())

    @cached_property
    def counts(self) -> np.ndarray:
        """(B,) rows of each bin."""
        return np.bitwise_count(self.bits).sum(axis=0, dtype=np.int64)

    def start_of(self, features):
        """(m,) where the bins of some features begin, taken alone."""
        sizes = self.sizes[features]
        return np.cumsum(sizes) - sizes

    def of(self, features):
        """Bits (W, B') and start of some features alone."""
        sizes, start = self.sizes[features], self.start_of(features)
        return self.bits.take(np.repeat(self.start[features] - start, sizes) + np.arange(sizes.sum()), axis=1), start


def _bits(codes, sizes):
    """(W, B) words of 64 bits, a column a bin, of the codes (n, d).

    The binary digits of the codes are packed, which are fewer than the bins, and the bins put together of these words.
    """
    rows = pack(np.ones((1, len(codes)), dtype=bool)).T  # no bit beyond the last row of the table
    digits = [_pack_columns(codes, 1 << digit) for digit in range(int(sizes.max(initial=1) - 1).bit_length())]
    start, fewest, most = np.cumsum(sizes) - sizes, sizes.min(initial=sizes.max(initial=0)), sizes.max(initial=0)
    bins = np.empty((len(rows), sizes.sum()), dtype=np.uint64)
    for level in range(most):
        has = slice(None) if fewest > level else np.flatnonzero(sizes > level)
        words = rows
        for place, digit in enumerate(digits):
            words = words & (digit[:, has] if level >> place & 1 else ~digit[:, has])
        bins[:, slice(level, None, most) if fewest == most else start[has] + level] = words
    return bins


def _pack_columns(codes, digit):
    """(W, d) words of 64 bits, a bit a row, as `pack` makes them: where the codes (n, d) have a binary digit.

    Rows are put together as bytes where they lie: to turn the table first would take as long as all of this.
    """
    n, d = codes.shape
    words, places = np.empty((-(-n // 64), d), dtype=np.uint64), (1 << np.arange(7, -1, -1)).astype(np.uint8)[:, None]
    step = max(1, _CODES // 64)
    for row, low in product(range(0, n, 64), range(0, d, step)):
        marks = (codes[row : row + 64, low : low + step] & digit != 0).view(np.uint8)
        if len(marks) < 64:
            marks = np.pad(marks, ((0, 64 - len(marks)), (0, 0)))
        eight = np.bitwise_or.reduce(marks.reshape(8, 8, -1) * places, axis=1)
        words[row // 64, low : low + step] = np.ascontiguousarray(eight.T).view(np.uint64)[:, 0]
    return words


def pack(marks):
    """(m, n) marks, anything but 0, as (m, W) words of 64 bits, a bit a row of the table."""
    n = marks.shape[1]
    packed = np.zeros((len(marks), -(-n // 64) * 8), dtype=np.uint8)
    packed[:, : -(-n // 8)] = np.packbits(marks, axis=1)
    return packed.view(np.uint64)


def packed_table(table, bins) -> PackedTable:
    """The packed form of a table, which the selectors of one resample share: it is kept with the table."""
    packed = table.memo.get("packed")
    if packed is None or packed.bins != bins:
        packed = table.memo["packed"] = PackedTable(table, bins)
    return packed


@lru_cache(maxsize=8)
def whole_number_entropy(n, largest):
    """Table (n + 1,) of c·ln c in whole units, and units a nat: sums up to `largest` nats stay within int64."""
    unit = 2.0 ** (62 - math.ceil(math.log2(largest)))
    logs = np.zeros(n + 1, dtype=np.int64)
    composite = np.zeros(n + 1, dtype=bool)
    for prime in range(2, n + 1):
        if composite[prime]:
            continue
        composite[prime * prime :: prime] = True
        power = prime
        while power <= n:
            logs[power::power] += round(math.log(prime) * unit)
            power *= prime
    return read_only(np.arange(n + 1) * logs), unit


class Information:
    """Information (d,) between each feature, the classes and one chosen feature, in whole multiples of 1/(n·unit) nats.

    y: class numbers (n,); terms: how many such values the caller adds up at most. standardised: as the value that chance exceeds as
    often for a feature of as many codes as there are intervals; None: where features differ in how many codes they have.
    """

    def __init__(self, packed: PackedTable, y, terms=1, standardised: bool | None = False):
        self.packed, self.y = packed, y
        self.standardised = packed.mixed if standardised is None else standardised
        self.n, self.n_classes = len(y), int(y.max()) + 1
        self._small = np.uint16 if self.n < 65536 else np.uint32  # of counts
        self._packed_cells: dict[int, np.ndarray] = {}
        most = math.log(max(self.n_classes, packed.sizes.max(), 2))  # nats a row: no information is larger
        self.entropy, unit = whole_number_entropy(self.n, self.n * max(4 * math.log(self.n), 2 * terms * most))
        self.nats = 1 / (self.n * unit)
        self.all = self.entropy[self.n]
        self.classes = self._sum(np.bincount(y))
        of_feature_and_class, of_feature, _ = self._joint(np.zeros_like(y), 1)
        self.features = of_feature
        self.plain = of_feature_and_class - of_feature - self.classes + self.all  # I(X_f; Y) as it is
        self.relevance = self._standardised(self.plain, [packed.counts] if self.standardised else [], [np.bincount(y)])

    def redundancy(self, chosen):
        """I(X_f; X_s)."""
        codes, size = self._column(chosen)
        _, with_chosen, _ = self._joint(codes, size, by_class=False)
        plain = with_chosen - self.features - self.features[chosen] + self.all
        return self._standardised(plain, [self.packed.counts], [np.bincount(codes, minlength=size)])

    def joint(self, chosen):
        """I(X_f, X_s; Y) = I(X_s; Y) + I(X_f; Y | X_s)."""
        return self.conditional(chosen) + self.plain[chosen]

    def conditional(self, chosen, features=None):
        """I(X_f; Y | X_s), of some features only if these are given (an array of their indices)."""
        if features is not None and 2 * len(features) > len(self.relevance):
            return self.conditional(chosen)[features]  # quicker than taking so many bits out
        codes, size = self._column(chosen)
        with_class, with_chosen, counts = self._joint(codes, size, features=features)
        plain = with_class - with_chosen - self.classes + self.all - self.plain[chosen]
        of_classes = np.bincount(codes * self.n_classes + self.y, minlength=size * self.n_classes).reshape(size, -1)
        return self._standardised(plain, counts, of_classes, features)

    def conditionals(self, chosen, features):
        """(S, m) I(X_f; Y | X_s) of some features, given each of S chosen ones alone; all at once where that is little work."""
        if self.standardised or len(chosen) * len(features) > _TOGETHER:
            return np.array([self.conditional(feature, features) for feature in chosen])
        bits, start = self.packed.of(features)
        masks = [self._masks(feature) for feature in chosen]
        first = np.cumsum([0, *map(len, masks[:-1])])
        counts = np.bitwise_count(bits & np.concatenate(masks)[:, :, None]).sum(axis=1, dtype=self._small)
        with_class = np.add.reduceat(self.entropy.take(counts, mode="clip"), first, axis=0)
        counts = counts.reshape(-1, self.n_classes, counts.shape[1]).sum(axis=1, dtype=self._small)
        with_class -= np.add.reduceat(self.entropy.take(counts, mode="clip"), first // self.n_classes, axis=0)
        return np.add.reduceat(with_class, start, axis=1) - self.classes + self.all - self.plain[chosen][:, None]

    def _masks(self, chosen):
        """(size · classes, W) the rows of each code of a chosen feature and class, packed; every later choice asks for them."""
        if chosen not in self._packed_cells:
            codes, size = self._column(chosen)
            self._packed_cells[chosen] = pack(codes * self.n_classes + self.y == np.arange(size * self.n_classes)[:, None])
        return self._packed_cells[chosen]

    def _standardised(self, information, counts, others, features=None):
        """Information of features with another variable.

        As it is, or what chance exceeds as often for a feature of as many codes as there are intervals (see
        `independence.as_usual`).
        counts: of each value of a third variable (or all rows), the rows with each code; others: with each value of the other.
        """
        if not self.standardised:
            return information
        start = self.packed.start if features is None else self.packed.start_of(features)
        means, variances = zip(*(moments(count, start, other) for count, other in zip(counts, others, strict=True) if other.sum()))
        degrees = (self.packed.bins - 1) * sum(max(int(np.count_nonzero(other)) - 1, 0) for other in others)
        unit = 2 * self.n * self.nats
        usual = as_usual(information * unit, 2 * sum(means), 4 * sum(variances), degrees)
        return np.rint(np.rint(usual * _SAME) / (_SAME * unit)).astype(np.int64)

    def _column(self, chosen):
        return self.packed.codes[:, chosen].astype(np.int64), int(self.packed.sizes[chosen])

    def _joint(self, codes, size, by_class=True, features=None):
        """Sums of c·ln c over the counts of (feature, code, class) and of (feature, code), (d,) each.

        And the counts of each code and bin (size, B), where they are needed to standardise.
        """
        classes = self.n_classes if by_class else 1
        cell = codes * classes + (self.y if by_class else 0)
        masks = pack(cell == np.arange(size * classes)[:, None])
        bits, start = self.packed.bits, self.packed.start
        if features is not None:
            bits, start = self.packed.of(features)
        sums = np.empty((2, bits.shape[1]), dtype=np.int64)
        step = max(1, _BLOCK // masks.size)
        small = self._small
        by_code = np.empty((size, bits.shape[1] if self.standardised and by_class else 0), dtype=small)
        for low in range(0, bits.shape[1], step):
            block = bits[None, :, low : low + step]
            counts = np.bitwise_count(block & masks[:, :, None]).sum(axis=1, dtype=small)
            sums[0, low : low + step] = self._sum(counts)
            if classes > 1:
                counts = counts.reshape(size, classes, -1).sum(axis=1, dtype=small)
                by_code[:, low : low + step] = counts[:, : by_code.shape[1]]
                sums[1, low : low + step] = self._sum(counts)
        if classes == 1:
            sums[1] = sums[0]
        reached = np.add.reduceat(sums, start, axis=1)
        return reached[0], reached[1], by_code

    def _sum(self, counts):
        return self.entropy.take(counts, mode="clip").sum(axis=0)
