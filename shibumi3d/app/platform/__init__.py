"""The operating system: the pyglet window, keyboard, gamepad, clipboard, drag and drop, and screen readers."""
