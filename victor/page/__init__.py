"""From bytes to blocks: decoding, events, segments, the block table, and the labelled page."""
