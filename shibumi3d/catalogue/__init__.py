"""The games there are: YAML files, read, checked and turned into playable games."""
