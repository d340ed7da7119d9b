"""Text density selects candidates; a keep/discard model of character n-grams classifies them."""
