"""DOM + named entities: filters and removers, the article, and the images that fit it."""
