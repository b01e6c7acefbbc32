"""Services of the application: navigation, matches, thumbnails, clipboard, scrolling and crash reports."""
