"""What the pages of one site say of each other: sightings of a first pass, counted for a second."""
