"""Threads and comments: find the repeated records of a page, and read author, date and text."""
