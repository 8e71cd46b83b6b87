'use strict';

const { SYSCTL_FILE, UNIT_FILE, LIST_FILE, BOOT_FILE } = require('./persistent-files');
const { KEEPING } = require('./persistence');

/**
 * The part of the script that is the same on every host.
 * `one KIND TARGET TO BACK_KIND BACK_TARGET BACK_TO` handles one setting; ROOT is empty, unless
 * somebody tries the script on a folder that stands for a machine.
 */
const BODY = String.raw`ROOT=${'$'}{TUNE_HOST_ROOT-}
SYSCTL_FILE=$ROOT${SYSCTL_FILE}
UNIT_FILE=$ROOT${UNIT_FILE}
LIST_FILE=$ROOT${LIST_FILE}
BOOT_FILE=$ROOT${BOOT_FILE}
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
  case " $now " in *"[$wanted]"*) return 0 ;; *'['*) return 1 ;; *" $wanted "*) [ "$now" != "${'$'}{now% *}" ] ;; *) return 1 ;; esac
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

${KEEPING}

case ${'$'}{1-} in
  '') MODE=show; say 'What is, and what would be; nothing is changed:'; settings
      say "$TO_SET to set. --apply sets them now, --persist keeps them over restarts, --undo takes both back." ;;
  --apply) need_root "$1"; MODE=apply; say 'Setting:'; settings ;;
  --persist) need_root "$1"; say 'Keeping over restarts:'; keep_sysctl; keep_sys; keep_limits ;;
  --undo) need_root "$1"; MODE=undo; say 'Back:'; settings_backwards; forget ;;
  *) say "usage: sh $0 [--apply | --persist | --undo]" >&2; exit 2 ;;
esac
exit "$FAILED"`;

module.exports = { BODY };
