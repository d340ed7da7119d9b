"""Why a block has its label, and where two systems differ."""
