'use strict';

/** What the collecting script does with its lists. */
const BODY = String.raw`set -u
LC_ALL=C
export LC_ALL
LOOKS=${'$'}{1-1}
case $LOOKS in '' | *[!0-9]*) echo "usage: sh $0 [SECONDS]" >&2; exit 2 ;; esac
[ -r /proc/stat ] || { echo 'This machine has no /proc as Linux has it: run the script where mongod runs.' >&2; exit 1; }
if command -v timeout >/dev/null 2>&1; then WITHIN='timeout 5'; else WITHIN=; fi

# --port 1, --port=1, or the line of a configuration file; the second argument is the process.
option() {
  tr '\000' '\012' < "/proc/$2/cmdline" 2>/dev/null | awk -v names="$1" '
    BEGIN { n = split(names, list, " ") }
    wanted { print; exit }
    { for (i = 1; i <= n; i++) { if ($0 == list[i]) wanted = 1; if (index($0, list[i] "=") == 1) { print substr($0, length(list[i]) + 2); exit } } }'
}
configured() {
  file=$(option '-f --config' "$2")
  [ -n "$file" ] || return 0
  case $file in /*) ;; *) file=/proc/$2/cwd/$file ;; esac
  if [ -r "/proc/$2/root$file" ]; then file=/proc/$2/root$file; fi
  sed -n "s/^[[:space:]]*$1[[:space:]]*[:=][[:space:]]*//p" "$file" 2>/dev/null | sed -n "1{s/[[:space:]]*#.*//;s/^[\"']//;s/[\"'][[:space:]]*\$//;p;}"
}
port_of() { found=$(option --port "$1"); [ -n "$found" ] || found=$(configured port "$1"); echo "${'$'}{found:-27017}"; }
path_of() { found=$(option --dbpath "$1"); [ -n "$found" ] || found=$(configured dbPath "$1"); [ -n "$found" ] || found=$(configured dbpath "$1"); echo "${'$'}{found:-/data/db}"; }

mongods() {
  for comm in /proc/[0-9]*/comm; do
    { read -r name < "$comm"; } 2>/dev/null || continue
    if [ "$name" = mongod ]; then name=${'$'}{comm#/proc/}; echo "${'$'}{name%/comm}"; fi
  done
}
ALL=$(mongods)
choose() {
  for pid in $ALL; do
    [ -z "$1" ] || [ "$(port_of "$pid")" = "$1" ] || continue
    [ -z "$2" ] || [ "$(path_of "$pid")" = "$2" ] || continue
    echo "$pid"
  done
}
PID=${'$'}{PID-}
if [ -z "$PID" ]; then
  PID=$(choose "${'$'}{PORT-$WANTED_PORT}" "${'$'}{DBPATH-$WANTED_DBPATH}")
  [ -n "$PID" ] || PID=$(choose "${'$'}{PORT-}" "${'$'}{DBPATH-}")
fi
case $PID in
  '') echo 'No such mongod runs here.' >&2; ALL=$(mongods) ;;
  *[!0-9]*) echo 'Several mongods run here; choose one with PID=:' >&2 ;;
  *) [ -d "/proc/$PID" ] || { echo "There is no process $PID." >&2; exit 1; } ;;
esac
case $PID in
  '' | *[!0-9]*)
    for pid in $ALL; do echo "  PID=$pid   port $(port_of "$pid"), dbPath $(path_of "$pid")" >&2; done
    exit 1 ;;
esac
DBPATH=$(path_of "$PID")
PORT=$(port_of "$PID")
if [ -z "$VERSION" ]; then VERSION=$($WITHIN "/proc/$PID/exe" --version 2>/dev/null | sed -n 's/^db version v//p'); fi

OUT=$(mktemp -d) || exit 1
trap 'rm -rf "$OUT"' EXIT
trap 'exit 1' HUP INT TERM

# Instructions in, JSON out. Names of files may hold anything.
write() {
  cat > "$OUT/list"
  sed -n 's/^T //p' "$OUT/list" | sed 's/[^A-Za-z0-9_/.-]/\\&/g' | xargs sh -c 'head -n 999999999 /dev/null "$@" /dev/null 2>/dev/null; echo' sh | awk -v list="$OUT/list" "$WRITER"
}

# The control groups of mongod, the innermost first, below every place where such are mounted.
CGROUPS=$(
  awk '{ for (i = 7; i < NF; i++) if ($i == "-" && $(i + 1) ~ /^cgroup/) print $4, $5 }' /proc/self/mountinfo | while read -r top point; do
    cut -d: -f3- "/proc/$PID/cgroup" 2>/dev/null | while read -r group; do
      if [ "$top" != / ]; then group=${'$'}{group#"$top"}; fi
      while [ -n "$group" ] && [ "$group" != / ]; do echo "$point$group"; group=${'$'}{group%/*}; done
      echo "$point"
    done
  done | awk '!seen[$0]++'
)

# What there is of each pattern, with the kind of reading that WRITER does.
found() {
  IFS=
  while read -r pattern; do
    case $pattern in
      '$CGROUPS'*) printf '%s\n' "$CGROUPS" | while read -r group; do [ -f "$group${'$'}{pattern#\$CGROUPS}" ] && kind "$group${'$'}{pattern#\$CGROUPS}"; done ;;
      *'$PID'*) there "${'$'}{pattern%%\$PID*}$PID${'$'}{pattern#*\$PID}" ;;
      *) there "$pattern" ;;
    esac
  done
}
there() {
  case $1 in
    *'*'*) for one in $1; do if [ -f "$one" ]; then kind "$one"; fi; done ;;
    *) if [ -f "$1" ]; then kind "$1"; elif shut "$1"; then printf 'U %s\n' "$1"; else printf 'M %s\n' "$1"; fi ;;
  esac
}
kind() { if [ -r "$1" ]; then printf 'T %s\n' "$1"; else printf 'U %s\n' "$1"; fi; }
# Behind a folder that this user may not enter.
shut() {
  around=${'$'}{1%/*}
  while [ -n "$around" ]; do
    if [ -d "$around" ]; then [ ! -x "$around" ]; return; fi
    around=${'$'}{around%/*}
  done
  return 1
}
several_nodes() { if [ -d /sys/devices/system/node/node1 ]; then on_several_nodes | found; fi; }
private() {
  if [ -r "/proc/$PID/environ" ]; then echo "V /proc/$PID/environ"; else echo "U /proc/$PID/environ"; fi
  if [ ! -r "/proc/$PID/fd" ]; then echo "U /proc/$PID/fd"; fi
  for pid in $ALL $PID; do
    echo "A /proc/$pid/cmdline"
    file=$(option '-f --config' "$pid")
    case $file in /*) if [ -r "$file" ]; then echo "C $file"; else echo "U $file"; fi ;; esac
  done
}

link() { if [ -L "$1" ]; then printf 'L %s\n%s\n' "$1" "$(readlink "$1")"; fi; }
each_link() { IFS=; while read -r line; do line=${'$'}{line#? }; link "$line"; done; }
# Every symbolic link on the way to a path, and to where they lead: way ROOT DONE REST DEPTH
way() {
  [ "$4" -lt 40 ] && [ -n "$3" ] || return 0
  first=${'$'}{3%%/*}
  case $3 in */*) set -- "$1" "$2" "${'$'}{3#*/}" "$4" "$first" ;; *) set -- "$1" "$2" '' "$4" "$first" ;; esac
  if [ -z "$5" ]; then way "$1" "$2" "$3" "$4"
  elif [ -L "$1$2/$5" ]; then
    link "$1$2/$5"
    target=$(readlink "$1$2/$5")
    case $target in /*) way "$1" '' "${'$'}{target#/}/$3" $(($4 + 1)) ;; *) way "$1" "$2" "$target/$3" $(($4 + 1)) ;; esac
  else way "$1" "$2/$5" "$3" "$4"
  fi
}
expand_links() {
  while read -r pattern; do
    case $pattern in *'$PID'*) pattern=${'$'}{pattern%%\$PID*}$PID${'$'}{pattern#*\$PID} ;; esac
    for one in $pattern; do echo "L $one"; done
  done
}
all_links() {
  links | expand_links | each_link
  case $DBPATH in /*) full=$DBPATH ;; *) full=$(readlink "/proc/$PID/cwd")/$DBPATH ;; esac
  way '' '' "${'$'}{full#/}" 0
  way "/proc/$PID/root" '' "${'$'}{full#/}" 0
  # Thousands of connections: one ls instead of a readlink each.
  ls -ln "/proc/$PID/fd" 2>/dev/null | awk -v folder="/proc/$PID/fd/" '{ at = index($0, " -> "); if (at) { n = split(substr($0, 1, at - 1), w, " "); print "L " folder w[n]; print substr($0, at + 4) } }'
}

run() {
  name=$1
  shift
  if ! command -v "$1" >/dev/null 2>&1; then printf 'X %s\nnot known: there is no %s here\n' "$name" "$1"
  elif $WITHIN "$@" > "$OUT/$name" 2>/dev/null; then printf 'O %s\n%s\n' "$name" "$OUT/$name"
  else printf 'X %s\nnot known: %s failed\n' "$name" "$1"
  fi
}

uptime() { read -r up rest < /proc/uptime; : "$rest"; echo "$up"; }
START=$(date +%s)
START_UP=$(uptime)
at() { awk -v start="$START" -v before="$START_UP" -v now="$(uptime)" 'BEGIN { printf "%.0f", (start + now - before) * 1000 }'; }

printf '{"format":"mongosh-tune host","version":1,"pid":%s,"port":%s,"cacheBytes":%s,' "$PID" "${'$'}{PORT:-null}" "${'$'}{CACHE_BYTES:-null}"
printf 'L %s\n%s\n' dbPath "$DBPATH" serverVersion "$VERSION" host "$(uname -n)" | write | sed '$d'
printf ',"snapshots":['
printf '{"atMs":%s,"files":{' "$(at)"
{ each_look | found; once | found; several_nodes; private; } | write
printf '}'
look=0
while [ "$look" -lt "$LOOKS" ]; do
  sleep 1
  look=$((look + 1))
  printf ',\n{"atMs":%s,"files":{' "$(at)"
  each_look | found | write
  printf '}'
done
printf '],\n"links":{'
all_links | write
printf ',\n"commands":{'
commands | write
printf '}\n'`;

module.exports = { BODY };
