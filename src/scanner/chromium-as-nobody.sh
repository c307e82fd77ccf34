#!/bin/sh
# Starts the Chromium that $CHROMIUM names as the account nobody, for a service that runs as root: Chromium refuses its sandbox to root.
# The profile, which root made for it, becomes that account's.
set -eu
uid=$(id -u nobody)
gid=$(id -g nobody)
for argument in "$@"; do
  case $argument in
  --user-data-dir=*)
    HOME=${argument#--user-data-dir=}
    export HOME
    chown "$uid:$gid" "$HOME"
    ;;
  esac
done
exec setpriv --reuid="$uid" --regid="$gid" --clear-groups "$CHROMIUM" "$@"
