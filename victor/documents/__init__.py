"""One record in, one outcome out: filter, clean, describe."""
