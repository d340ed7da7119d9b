"""What the blocks of a page are, and which of them stay: units, kinds, scopes, posts of threads.

These are rules on top of the labels of any labeler: names in the markup, the title of the page, and
what the labeler keeps around a block. Kinds are found when somebody asks for them.
"""
