"""What a page says of itself: title, authors, dates, addresses and more, each with its source."""
