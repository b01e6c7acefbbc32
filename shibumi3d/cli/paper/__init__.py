"""Drawing of pages for print, as SVG and PDF with the bundled fonts."""
