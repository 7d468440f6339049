"""What queries are answered with: sums over the network of equations, questions as passages are searched for, quoting and rendering."""
