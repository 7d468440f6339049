"""What the learned readers are trained and measured with."""
