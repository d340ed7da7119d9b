"""What every room may use: arrays, labels, the compiled core, files, optional packages."""
