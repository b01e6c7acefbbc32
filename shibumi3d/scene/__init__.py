"""What to draw and when: layout, camera, picking, motion. No window, no graphics library."""
