"""Actions of the theme and sound buttons, which appear on many pages."""

from __future__ import annotations

from . import Host


def toggle_theme(app: Host) -> None:
    """Switch between the day and night themes."""
    app.change(theme="night" if app.settings.theme == "day" else "day")


def toggle_sound(app: Host) -> None:
    """Mute or unmute all sounds."""
    app.change(muted=not app.settings.muted)
    if app.settings.muted:
        app.sounds.hush()
    else:
        app.sounds.tap()
