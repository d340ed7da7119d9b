"""The editorial role of each block: headline, byline, text, comment, teaser and so on.

Kinds are rules on top of the labels of any labeler: names in the markup, the title of the page,
dates, and where the text begins and ends. They are made when somebody asks for them.
"""
