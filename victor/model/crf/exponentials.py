"""The exponential function of numbers up to 0, the same on every machine.

Libraries compute it in steps of their own, so that last bits depend on the processor. Here it is a
few additions and multiplications of double precision in a fixed order.

Source: Cody and Waite (1980), Software manual for the elementary functions, chapter 6 (reduction of
the argument); the polynomial is the Taylor series.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from victor.base.arrays import Floats

LOWEST: Final = -708.0
"""Below this the result is 0: it would hardly be a normal number."""

_TERMS: Final = 14
_COEFFICIENTS: Final = tuple(1.0 / math.factorial(term) for term in reversed(range(_TERMS)))
"""Of the highest power first."""
_LOG2_E: Final = 1.4426950408889634
_LN2_HIGH: Final = 0.6931471803691238
"""The first 33 bits of the logarithm of 2: a product with a small integer is exact."""
_LN2_LOW: Final = 1.9082149292705877e-10
_NEAREST: Final = 1.5 * 2.0**52
"""Added to a number below 2**51 it leaves no bits for a fraction."""
_EXPONENT_BIAS: Final = 1023
_EXPONENT_SHIFT: Final = 52


def exponentials(values: Floats) -> Floats:
    """Exponentials of an array of finite numbers up to 0, right but for the last bits.

    Twin: ``exponential`` in ``core/chain.c``.
    """
    bounded = np.maximum(values, LOWEST)
    power = bounded * _LOG2_E
    power += _NEAREST
    power -= _NEAREST
    rest = bounded - power * _LN2_HIGH
    rest -= power * _LN2_LOW
    result = np.full_like(rest, _COEFFICIENTS[0])
    for coefficient in _COEFFICIENTS[1:]:
        result *= rest
        result += coefficient
    scale = (power.astype(np.int64) + _EXPONENT_BIAS) << _EXPONENT_SHIFT
    result *= scale.view(np.float64)
    result[values < LOWEST] = 0.0
    return result
