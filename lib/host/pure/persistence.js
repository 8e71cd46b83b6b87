'use strict';

const { UNIT, LIST_FILE, BOOT_FILE } = require('./persistent-files');

/**
 * The part of the script that keeps settings over a restart, and forgets them: lines in three
 * files, which scripts of other days may have lines in too. Each takes and leaves its own.
 */
const KEEPING = String.raw`# FILE TEXT: whole or not at all.
write_file() {
  if mkdir -p "$(dirname "$1")" && printf '%s\n' "$2" > "$1.new" && mv "$1.new" "$1"; then say "  wrote $1"; else fail "  $1: could not be written"; fi
}

drop() {
  [ -e "$1" ] || return 0
  if rm -f "$1"; then say "  removed $1"; else fail "  $1: could not be removed"; fi
}

systemd() {
  if [ -n "$ROOT" ]; then say "  systemctl $*"
  elif [ -d /run/systemd/system ]; then systemctl "$@" || fail "  systemctl $* failed"
  else fail "  systemd does not run here: systemctl $* was left out"
  fi
}

lines_of() { (MODE=lines; KIND=$1; settings); }

# FILE FIRST LINES: what else is in the file stays, a line that sets the same goes.
keep_lines() {
  [ -n "$3" ] || return 0
  others=$2
  if [ -f "$1" ]; then others=$(printf '%s\n' "$3" | awk '{ name = $0; sub(/ *=.*/, "", name) } ours { mine[name]; next } !(name in mine)' ours=1 - ours=0 "$1"); fi
  write_file "$1" "$(printf '%s\n%s' "$others" "$3")"
}

# FILE LINES: without a setting left the file goes.
forget_lines() {
  [ -f "$1" ] || return 0
  left=$(printf '%s\n' "$2" | awk 'ours { mine[$0]; next } !($0 in mine)' ours=1 - ours=0 "$1")
  case $left in
    *=*) [ "$left" = "$(cat "$1")" ] || write_file "$1" "$left" ;;
    *) drop "$1" ;;
  esac
}

# A file that is read later, or sets the other one of a pair, wins.
others_of() {
  [ "$1" = sysctl ] || return 0
  for file in "$ROOT/etc/sysctl.conf" "$ROOT"/etc/sysctl.d/*.conf; do
    if [ -f "$file" ] && [ "$file" != "$SYSCTL_FILE" ] && grep -q -e "^[[:space:]-]*$2[[:space:]]*=" -e "^[[:space:]-]*$5[[:space:]]*=" "$file"; then
      say "  $file sets $2 or $5 too: take the line out of it"
    fi
  done
}

keep_sysctl() {
  keep_lines "$SYSCTL_FILE" '# Written by tune-host.sh --persist; --undo takes its lines out.' "$(lines_of sysctl)"
  (MODE=others; settings)
}

# No file of the system reaches what lies below /sys: a unit writes it again at every start of the machine.
keep_sys() {
  wanted=$(lines_of sys)
  [ -n "$wanted" ] || return 0
  keep_lines "$LIST_FILE" '# Written by tune-host.sh --persist; --undo takes its lines out.' "$wanted"
  write_file "$BOOT_FILE" "$(boot_script)"
  write_file "$UNIT_FILE" "$(unit)"
  systemd daemon-reload
  systemd enable ${UNIT}
  if [ -s "$ROOT/etc/tuned/active_profile" ]; then say "  tuned is at work here: its profile $(cat "$ROOT/etc/tuned/active_profile") may set the same; better put it there"; fi
}

boot_script() {
  cat <<'BOOT'
#!/bin/sh
# Writes what ${LIST_FILE} lists; tune-host.sh --persist made both.
ROOT=${'$'}{TUNE_HOST_ROOT-}
failed=0
while IFS= read -r line; do
  case $line in
    /sys/*' = '*) { printf '%s\n' "${'$'}{line#* = }" > "$ROOT${'$'}{line%% = *}"; } || failed=1 ;;
  esac
done < "$ROOT${LIST_FILE}"
exit "$failed"
BOOT
}

unit() {
  cat <<UNIT
[Unit]
Description=Settings of the operating system for mongod (mongosh-tune)
After=network.target sys-kernel-debug.mount tuned.service
Before=$BEFORE

[Service]
Type=oneshot
ExecStart=/bin/sh ${BOOT_FILE}

[Install]
WantedBy=multi-user.target
UNIT
}

keep_limits() {
  [ -n "$LIMITS" ] || return 0
  [ -n "$DROP_IN" ] || { fail "  mongod is no service of systemd that is known: set its limits where it is started: $LIMITS"; return; }
  keep_lines "$ROOT$DROP_IN" '[Service]' "$(printf '%s' "$LIMITS" | tr ' ' '\n')"
  systemd daemon-reload
  say '  limits in a unit count from the next start of mongod'
}

forget() {
  forget_lines "$SYSCTL_FILE" "$(lines_of sysctl)"
  if [ -f "$LIST_FILE" ]; then
    forget_lines "$LIST_FILE" "$(lines_of sys)"
    if [ ! -f "$LIST_FILE" ]; then systemd disable ${UNIT}; drop "$UNIT_FILE"; drop "$BOOT_FILE"; systemd daemon-reload; fi
  fi
  if [ -n "$DROP_IN" ] && [ -f "$ROOT$DROP_IN" ]; then
    forget_lines "$ROOT$DROP_IN" "$(printf '%s' "$LIMITS" | tr ' ' '\n')"
    systemd daemon-reload
  fi
}`;

module.exports = { KEEPING };
