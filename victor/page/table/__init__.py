"""Events to the block table: columns of blocks, their tokens and texts."""
