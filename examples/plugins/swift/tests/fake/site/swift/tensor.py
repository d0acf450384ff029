# SPDX-License-Identifier: Apache-2.0
import math


class Tensor:
    """What is used of a tensor, on nested lists: shape (rows,), (rows, columns), or (rows, 1), which is as wide as it has to be."""

    def __init__(self, values):
        self.values = values

    def tolist(self):
        return self.values

    def unsqueeze(self, dim):
        assert dim == -1 and not any(isinstance(v, list) for v in self.values), "of shape (rows,) alone"
        return Tensor([[v] for v in self.values])

    def bool(self):
        return self._each(bool)

    def exp(self):
        return self._each(math.exp)

    def abs(self):
        return self._each(abs)

    def __invert__(self):
        return self._each(lambda v: not v)

    def __and__(self, other):
        return self._each(lambda a, b: a and b, other)

    def __sub__(self, other):
        return self._each(lambda a, b: a - b, other)

    def __getitem__(self, mask):
        return Tensor([v for row, kept in zip(self.values, mask.values, strict=True) for v, keep in zip(row, kept, strict=True) if keep])

    def _each(self, change, *others):
        out = []
        for rows in zip(self.values, *(o.values for o in others), strict=True):
            if not isinstance(rows[0], list):
                out.append(change(*rows))
                continue
            width = max(map(len, rows))
            out.append([change(*values) for values in zip(*(row * width if len(row) == 1 else row for row in rows), strict=True)])
        return Tensor(out)
