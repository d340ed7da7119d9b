"""What predictions that tests make by hand say of no page and no block."""

import numpy as np


def unsaid(n_blocks, n_pages):
    """Fields of `Predictions` for measures, elements and probabilities that nobody asks for."""
    none = np.zeros(n_blocks, dtype=np.int64)
    return {
        "page_measures": np.zeros((n_pages, 1)),
        "p_no_content": np.full(n_pages, np.nan),
        **{"path": none, "paths": ("",), "css_class": none, "css_classes": ("",)},
    }
