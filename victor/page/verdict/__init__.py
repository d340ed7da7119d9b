"""The verdict on the blocks of a page, and the paragraphs that the kept ones form."""
