"""Exact mutual information of many binned features at once, from counts of packed bits.

Each bin of each feature is a run of bits, one per table row, in words of 64. A contingency count is the number of ones in
an AND. Entropies are sums of c·ln c, looked up as whole numbers built from whole-number logarithms of primes.
ln(ab) is then exactly ln a + ln b, so mathematically equal values are equal here, for any order of the
columns, and independent features have exactly zero information.

Information is never below 0, and under independence it increases with the number of codes of a feature. In a table with different
numbers of codes it is therefore standardised. See `Information` and stabcore.selectors.solvers.independence.
"""

import math
from functools import lru_cache

import numpy as np

from stabcore.data.encoding import discretise
from stabcore.data.feature_table import read_only
from stabcore.selectors.solvers.independence import information_moments, matched_chi2

_BLOCK = 1 << 18  # words of counts per block, small enough for the cache of one core
_BATCH = 1 << 12  # pairs of features per batch, enough to make the cost of a call negligible
_RESOLUTION = 1e9  # resolution of χ², so that values do not depend on the order of addition


class PackedTable:
    """The bins of a table: codes (n, d), sizes (d,), and bits (W, B), one column per bin.

    The bins of feature f are the columns from start[f] on, sizes[f] of them.
    """

    def __init__(self, table, bins):
        self.bins = bins
        self.codes, self.sizes = discretise(table, bins)
        self.start = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        self.bits = _bits(self.codes, self.sizes)
        self.codes, self.sizes, self.bits = map(read_only, (self.codes, self.sizes, self.bits))  # shared by many selectors

    @property
    def has_mixed_sizes(self) -> bool:
        """Whether varying features differ in their number of codes."""
        varying = self.sizes[self.sizes > 1]
        return bool(len(varying)) and bool((varying != varying[0]).any())

    def first_bins(self, features):
        """(m,) the first bin of each of some features."""
        sizes = self.sizes[features]
        return np.cumsum(sizes) - sizes

    def feature_bits(self, features):
        """Bits (W, B') and start of some features."""
        sizes, start = self.sizes[features], self.first_bins(features)
        return self.bits.take(np.repeat(self.start[features] - start, sizes) + np.arange(sizes.sum()), axis=1), start


def _bits(codes, sizes):
    """(W, B) words of 64 bits, one column per bin, from the codes (n, d).

    The binary digits of the codes are packed, because they are fewer than the bins. The bins are combined from these words.
    """
    rows = pack_bits(np.ones((1, len(codes)), dtype=bool)).T  # no bits beyond the last row of the table
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
    """(W, d) words of 64 bits, one bit per row as in `pack_bits`, set where the codes (n, d) have a binary digit.

    Rows are combined as bytes in place, because transposing the table would take as long as the rest.
    """
    places = (1 << np.arange(7, -1, -1)).astype(np.uint8)[:, None]
    words = np.empty((-(-len(codes) // 64), codes.shape[1]), dtype=np.uint64)
    for row in range(0, len(codes), 64):
        marks = (codes[row : row + 64] & digit != 0).view(np.uint8)
        if len(marks) < 64:
            marks = np.pad(marks, ((0, 64 - len(marks)), (0, 0)))
        eight = np.bitwise_or.reduce(marks.reshape(8, 8, -1) * places, axis=1)
        words[row // 64] = np.ascontiguousarray(eight.T).view(np.uint64)[:, 0]
    return words


def pack_bits(marks):
    """(m, n) marks, anything but 0, as (m, W) words of 64 bits, one bit per row of the table."""
    n = marks.shape[1]
    packed = np.zeros((len(marks), -(-n // 64) * 8), dtype=np.uint8)
    packed[:, : -(-n // 8)] = np.packbits(marks, axis=1)
    return packed.view(np.uint64)


def packed_table(table, bins) -> PackedTable:
    """The packed form of a table, kept with the table and shared by the selectors of a resample."""
    packed = table.memo.get("packed")
    if packed is None or packed.bins != bins:
        packed = table.memo["packed"] = PackedTable(table, bins)
    return packed


@lru_cache(maxsize=8)
def whole_number_entropy(n, largest):
    """Table (n + 1,) of c·ln c in whole units, and units per nat, so that sums up to `largest` nats stay within int64."""
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

    y: class numbers (n,). terms: the largest number of such values that the caller adds. standardised: whether to give the value
    with the same p-value for a feature with one code per interval. None: if features differ in their number of codes, or there are
    strata. strata: numbers (n,), and all information is that within them, weighted by their rows.
    """

    def __init__(self, packed: PackedTable, y, terms=1, standardised: bool | None = False, strata: np.ndarray | None = None):
        self.packed, self.y = packed, y
        self.strata = np.zeros_like(y) if strata is None else strata
        self.n_strata = int(self.strata.max()) + 1
        self.standardised = packed.has_mixed_sizes or self.n_strata > 1 if standardised is None else standardised
        self.n, self.n_classes = len(y), int(y.max()) + 1
        self._small = np.uint16 if self.n < 65536 else np.uint32  # type of counts
        self._packed_cells: dict[int, np.ndarray] = {}
        most = math.log(max(self.n_classes, packed.sizes.max(), 2))  # nats per row, the largest possible information
        self.entropy, unit = whole_number_entropy(self.n, self.n * max(4 * math.log(self.n), 2 * terms * most))
        self.nats = 1 / (self.n * unit)
        self.all = self._entropy_sum(np.bincount(self.strata))
        of_classes = self._pair_counts(self.strata, self.n_strata, y, self.n_classes)
        self.classes = self._entropy_sum(of_classes.ravel())
        of_feature_and_class, of_feature, self._by_stratum = self._joint_sums(self.strata, self.n_strata)
        self.features = of_feature
        self.plain = of_feature_and_class - of_feature - self.classes + self.all  # I(X_f; Y) without standardisation
        self.relevance = self._standardised(self.plain, self._by_stratum, of_classes)

    def redundancy(self, chosen):
        """I(X_f; X_s)."""
        codes, size = self._stratified_codes(chosen)
        _, with_chosen, _ = self._joint_sums(codes, size, by_class=False)
        plain = with_chosen - self.features - self.features[chosen] + self.all
        return self._standardised(plain, self._by_stratum, np.bincount(codes, minlength=size).reshape(-1, self.n_strata).T)

    def joint(self, chosen):
        """I(X_f, X_s; Y) = I(X_s; Y) + I(X_f; Y | X_s)."""
        return self.conditional(chosen) + self.plain[chosen]

    def conditional(self, chosen, features=None):
        """I(X_f; Y | X_s), optionally for some features only (an array of their indices)."""
        if features is not None and 2 * len(features) > len(self.relevance):
            return self.conditional(chosen)[features]  # faster than extracting this number of bits
        codes, size = self._stratified_codes(chosen)
        with_class, with_chosen, counts = self._joint_sums(codes, size, features=features)
        plain = with_class - with_chosen - self.classes + self.all - self.plain[chosen]
        return self._standardised(plain, counts, self._pair_counts(codes, size, self.y, self.n_classes), features)

    def conditionals(self, chosen, features):
        """(S, m) I(X_f; Y | X_s) of some features, given each of S chosen ones, all at once if that is little work."""
        if self.standardised or len(chosen) * len(features) > _BATCH:
            return np.array([self.conditional(feature, features) for feature in chosen])
        bits, start = self.packed.feature_bits(features)
        masks = [self._masks(feature) for feature in chosen]
        first = np.cumsum([0, *map(len, masks[:-1])])
        counts = np.bitwise_count(bits & np.concatenate(masks)[:, :, None]).sum(axis=1, dtype=self._small)
        with_class = np.add.reduceat(self.entropy.take(counts, mode="clip"), first, axis=0)
        counts = counts.reshape(-1, self.n_classes, counts.shape[1]).sum(axis=1, dtype=self._small)
        with_class -= np.add.reduceat(self.entropy.take(counts, mode="clip"), first // self.n_classes, axis=0)
        return np.add.reduceat(with_class, start, axis=1) - self.classes + self.all - self.plain[chosen][:, None]

    def _masks(self, chosen):
        """(size · classes, W) the rows of each code of a chosen feature and class, packed and cached for later choices."""
        if chosen not in self._packed_cells:
            codes, size = self._stratified_codes(chosen)
            self._packed_cells[chosen] = pack_bits(codes * self.n_classes + self.y == np.arange(size * self.n_classes)[:, None])
        return self._packed_cells[chosen]

    def _standardised(self, information, counts, others, features=None):
        """Information of features with another variable.

        As it is, or what chance exceeds as often for a feature of as many codes as there are intervals (see
        `independence.matched_chi2`).
        counts: of each value of a third variable (or stratum), the rows with each code. others: with each value of the other.
        """
        if not self.standardised:
            return information
        start = self.packed.start if features is None else self.packed.first_bins(features)
        means, variances = zip(
            *(information_moments(count, start, other) for count, other in zip(counts, others, strict=True) if other.sum())
        )
        degrees = (self.packed.bins - 1) * sum(max(int(np.count_nonzero(other)) - 1, 0) for other in others)
        unit = 2 * self.n * self.nats
        usual = matched_chi2(information * unit, 2 * sum(means), 4 * sum(variances), degrees)
        return np.rint(np.rint(usual * _RESOLUTION) / (_RESOLUTION * unit)).astype(np.int64)

    def _stratified_codes(self, chosen):
        """(n,) the codes of a chosen feature, with the stratum as the last digit, and the number of possible codes."""
        codes = self.packed.codes[:, chosen].astype(np.int64)
        return codes * self.n_strata + self.strata, int(self.packed.sizes[chosen]) * self.n_strata

    @staticmethod
    def _pair_counts(codes, size, others, n_others):
        """(size, n_others) rows of each pair of codes."""
        return np.bincount(codes * n_others + others, minlength=size * n_others).reshape(size, -1)

    def _joint_sums(self, codes, size, by_class=True, features=None):
        """Sums of c·ln c over the counts of (feature, code, class) and of (feature, code), (d,) each.

        And the counts of each code and bin (size, B), where they are needed to standardise.
        """
        classes = self.n_classes if by_class else 1
        cell = codes * classes + (self.y if by_class else 0)
        masks = pack_bits(cell == np.arange(size * classes)[:, None])
        bits, start = self.packed.bits, self.packed.start
        if features is not None:
            bits, start = self.packed.feature_bits(features)
        sums = np.empty((2, bits.shape[1]), dtype=np.int64)
        step = max(1, _BLOCK // masks.size)
        small = self._small
        by_code = np.empty((size, bits.shape[1] if self.standardised and by_class else 0), dtype=small)
        for low in range(0, bits.shape[1], step):
            block = bits[None, :, low : low + step]
            counts = np.bitwise_count(block & masks[:, :, None]).sum(axis=1, dtype=small)
            sums[0, low : low + step] = self._entropy_sum(counts)
            if classes > 1:
                counts = counts.reshape(size, classes, -1).sum(axis=1, dtype=small)
                by_code[:, low : low + step] = counts[:, : by_code.shape[1]]
                sums[1, low : low + step] = self._entropy_sum(counts)
        if classes == 1:
            sums[1] = sums[0]
        reached = np.add.reduceat(sums, start, axis=1)
        return reached[0], reached[1], by_code

    def _entropy_sum(self, counts):
        return self.entropy.take(counts, mode="clip").sum(axis=0)
