"""What is switched by one button from many pages: light, and all sound."""

from __future__ import annotations

from . import Host


def toggle_theme(app: Host) -> None:
    """Make day night and the other way round."""
    app.change(theme="night" if app.settings.theme == "day" else "day")


def toggle_sound(app: Host) -> None:
    """Mute everything at once, or let it be heard again."""
    app.change(muted=not app.settings.muted)
    if app.settings.muted:
        app.sounds.hush()
    else:
        app.sounds.tap()
