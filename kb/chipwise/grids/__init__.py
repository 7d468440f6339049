"""Tables, structured files and code as trees of cells, and the key that the labels around a cell give it."""
