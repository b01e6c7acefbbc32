#!/bin/sh
# Make an AppImage of the bundle: tools/appimage.sh, after `make bundle`. appimagetool must be in the PATH.
#
# Tested: everything except appimagetool itself, which is only published on GitHub. The folder that it packs was made, and
# the program was started by the AppRun in it. Before publishing, change the ID in shibumi3d/cli/install_desktop.py to
# your own.
set -eu
cd "$(dirname "$0")/.."
folder=build/AppDir
bundle=dist/shibumi3d
[ -x $bundle/shibumi3d ] || { echo "There is no bundle yet. Run: make bundle" >&2; exit 1; }

rm -rf $folder
mkdir -p $folder/usr/lib $folder/usr/bin
cp -R $bundle $folder/usr/lib/shibumi3d
ln -s ../lib/shibumi3d/shibumi3d $folder/usr/bin/shibumi3d
$folder/usr/bin/shibumi3d install-desktop --package $folder/usr/share

# appimagetool and the desktop look for these files at the top level.
entry=$(basename $folder/usr/share/applications/*.desktop)
id=${entry%.desktop}
ln -s usr/share/applications/$entry $folder/$entry
ln -s usr/share/icons/hicolor/256x256/apps/$id.png $folder/$id.png
ln -s $id.png $folder/.DirIcon
cat >$folder/AppRun <<'END'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/usr/lib/shibumi3d/shibumi3d" "$@"
END
chmod +x $folder/AppRun

if ! command -v appimagetool >/dev/null; then
    echo "The folder $folder is ready. To pack it, install appimagetool and run this again." >&2
    exit 1
fi
appimagetool $folder dist/shibumi3d-"$(uname -m)".AppImage
