"""The explorer: what intervals promise, why two scores tie and how many items it takes, in a browser."""
