"""Drawing on paper: pens that write SVG and PDF, with the shipped faces."""
