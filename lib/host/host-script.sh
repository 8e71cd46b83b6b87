ROOT=${TUNE_HOST_ROOT-}
SYSCTL_FILE=$ROOT/etc/sysctl.d/99-zz-mongosh-tune.conf
UNIT_FILE=$ROOT/etc/systemd/system/mongosh-tune-host.service
LIST_FILE=$ROOT/etc/mongosh-tune-host.conf
BOOT_FILE=$ROOT/etc/mongosh-tune-host.sh
FAILED=0
TO_SET=0

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; FAILED=1; }

# Where a setting can be read and written.
file_of() {
  case $1 in
    sysctl) printf '%s/proc/sys/%s' "$ROOT" "$(printf '%s' "$2" | tr . /)" ;;
    *) printf '%s%s' "$ROOT" "$2" ;;
  esac
}

# A limit as prlimit takes it: the soft one, a colon, the hard one.
limit_of() {
  case $1 in nofile) line='Max open files' ;; *) line='Max processes' ;; esac
  sed -n "s/^$line  *\([a-z0-9]*\)  *\([a-z0-9]*\).*/\1:\2/p" "$ROOT/proc/$PID/limits" 2>/dev/null
}

now_of() {
  case $1 in
    limit) limit_of "$2" ;;
    *) tr '\n\t' '  ' < "$(file_of "$1" "$2")" 2>/dev/null | sed 's/ *$//' ;;
  esac
}

# Files that list what can be chosen put the choice in brackets, or name it among others.
is_set() {
  case $1 in limit) case $3 in *:*) wanted=$3 ;; *) wanted=$3:$3 ;; esac ;; *) wanted=$3 ;; esac
  now=$(now_of "$1" "$2")
  [ "$now" = "$wanted" ] && return 0
  [ "$1" = sys ] || return 1
  case " $now " in *"[$wanted]"*) return 0 ;; *'['*) return 1 ;; *" $wanted "*) [ "$now" != "${now% *}" ] ;; *) return 1 ;; esac
}

is_there() {
  case $1 in
    limit) [ -n "$PID" ] && case $(cat "$ROOT/proc/$PID/comm" 2>/dev/null) in mongo*) true ;; *) false ;; esac ;;
    *) [ -e "$(file_of "$1" "$2")" ] ;;
  esac
}

put() {
  case $1 in
    limit) [ -z "$ROOT" ] && prlimit --pid "$PID" "--$2=$3" ;;
    *) { printf '%s\n' "$3" > "$(file_of "$1" "$2")"; } 2>/dev/null ;;
  esac
}

show_one() {
  if ! is_there "$1" "$2"; then say "  $2: not there now"
  elif is_set "$1" "$2" "$3"; then say "  $2: $3 already"
  else TO_SET=$((TO_SET + 1)); say "  $2: is $(now_of "$1" "$2"), would be $3"
  fi
}

apply_one() {
  if ! is_there "$1" "$2"; then fail "  $2: not there now, left alone"
  elif is_set "$1" "$2" "$3"; then say "  $2: $3 already"
  else
    old=$(now_of "$1" "$2")
    is_set "$4" "$5" "$6" || say "  $5: is no longer $6, as when this was advised; --undo would set $6"
    if put "$1" "$2" "$3" && is_set "$1" "$2" "$3"; then say "  $2: was $old, is $3"
    else fail "  $2: is $(now_of "$1" "$2"), could not be set to $3"
    fi
  fi
}

# Only what is still as this script sets it: what somebody else has set since stays.
undo_one() {
  if ! is_there "$1" "$2"; then say "  $2: not there now"
  elif ! is_set "$1" "$2" "$3"; then say "  $2: is $(now_of "$1" "$2"), not $3; left alone"
  elif put "$4" "$5" "$6"; then say "  $5: $6 again"
  else fail "  $5: could not be set back to $6"
  fi
}

# What a file keeps over a restart. Interrupts have other numbers then.
line() {
  case $1:$2 in
    "$KIND":/proc/*) ;;
    "$KIND":*) printf '%s = %s\n' "$2" "$3" ;;
  esac
}

one() {
  case $MODE in
    show) show_one "$@" ;;
    apply) apply_one "$@" ;;
    undo) undo_one "$@" ;;
    lines) line "$@" ;;
    others) others_of "$@" ;;
  esac
}

need_root() {
  [ -n "$ROOT" ] && return 0
  [ "$(id -u)" = 0 ] && return 0
  say "$1 needs root: run this again as root. Nothing was changed." >&2
  exit 1
}

# FILE TEXT: whole or not at all.
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
  systemd enable mongosh-tune-host.service
  if [ -s "$ROOT/etc/tuned/active_profile" ]; then say "  tuned is at work here: its profile $(cat "$ROOT/etc/tuned/active_profile") may set the same; better put it there"; fi
}

boot_script() {
  cat <<'BOOT'
#!/bin/sh
# Writes what /etc/mongosh-tune-host.conf lists; tune-host.sh --persist made both.
ROOT=${TUNE_HOST_ROOT-}
failed=0
while IFS= read -r line; do
  case $line in
    /sys/*' = '*) { printf '%s\n' "${line#* = }" > "$ROOT${line%% = *}"; } || failed=1 ;;
  esac
done < "$ROOT/etc/mongosh-tune-host.conf"
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
ExecStart=/bin/sh /etc/mongosh-tune-host.sh

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
    if [ ! -f "$LIST_FILE" ]; then systemd disable mongosh-tune-host.service; drop "$UNIT_FILE"; drop "$BOOT_FILE"; systemd daemon-reload; fi
  fi
  if [ -n "$DROP_IN" ] && [ -f "$ROOT$DROP_IN" ]; then
    forget_lines "$ROOT$DROP_IN" "$(printf '%s' "$LIMITS" | tr ' ' '\n')"
    systemd daemon-reload
  fi
}

case ${1-} in
  '') MODE=show; say 'What is, and what would be; nothing is changed:'; settings
      say "$TO_SET to set. --apply sets them now, --persist keeps them over restarts, --undo takes both back." ;;
  --apply) need_root "$1"; MODE=apply; say 'Setting:'; settings ;;
  --persist) need_root "$1"; say 'Keeping over restarts:'; keep_sysctl; keep_sys; keep_limits ;;
  --undo) need_root "$1"; MODE=undo; say 'Back:'; settings_backwards; forget ;;
  *) say "usage: sh $0 [--apply | --persist | --undo]" >&2; exit 2 ;;
esac
exit "$FAILED"
