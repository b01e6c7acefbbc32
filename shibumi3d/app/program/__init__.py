"""The assembled desktop program: the only package that imports every page."""
