"""Drawing of pages for printing, as SVG and PDF with the bundled fonts."""
