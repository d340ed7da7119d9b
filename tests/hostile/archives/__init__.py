"""Archives that are damaged in many ways: records of made-up pages, and what is done to them."""
