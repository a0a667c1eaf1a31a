#!/bin/sh
# Shows the demos: the timeline, thumbnails that are made in the background, a telephone exchange whose operators are
# processes, then FollowLog on two logs that grow, with a rotation now and then. On a terminal it goes on until q is
# pressed; else it ends by itself after some seconds.
set -eu
cd "$(dirname "$0")/.."
programs=${PROGRAMS:-$(swift build -c release --show-bin-path)}

"$programs/PassTimeline"
echo
count=40
[ -t 1 ] || count=8
"$programs/Thumbnails" --count "$count" || [ $? -eq 130 ]
echo
# Distributed notifications need a session bus.
dbus-run-session -- "$programs/Switchboard" --show
echo

folder=$(mktemp -d)
writer=
finish() {
  [ -z "$writer" ] || kill "$writer" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

write_logs() {
  number=0
  while [ -d "$folder" ]; do
    number=$((number + 1))
    echo "$(date +%T) INFO  request $number served in $((number * 37 % 90)) ms"
    [ $((number % 7)) -ne 0 ] || echo "$(date +%T) ERROR database $((number % 3)): connection refused (user alice)"
    [ $((number % 5)) -ne 0 ] || echo "$(date +%T) WARN  queue is at $((number * 13 % 100)) %" >>"$folder/worker.log"
    sleep 0.2
    [ $((number % 50)) -ne 0 ] || mv "$folder/web.log" "$folder/web.log.1"
  done
}
log_requests() {
  write_logs | while read -r line; do echo "$line" >>"$folder/web.log"; done
}

log_requests 2>/dev/null &
writer=$!
status=0
if [ -t 0 ] && [ -t 1 ]; then
  "$programs/FollowLog" --highlight alice "$folder/web.log" "$folder/worker.log" || status=$?
else
  "$programs/FollowLog" "$folder/web.log" "$folder/worker.log" &
  follower=$!
  sleep 3
  kill -TERM "$follower"
  wait "$follower" || status=$?
fi
case $status in
  0 | 130 | 143) ;;
  *) exit "$status" ;;
esac
