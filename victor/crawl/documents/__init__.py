"""Records to documents: page filters, cleaning, duplicates."""
