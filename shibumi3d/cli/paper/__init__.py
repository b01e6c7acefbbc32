"""Drawing for print: SVG and PDF output with the bundled fonts."""
