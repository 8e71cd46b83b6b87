# Everything that lib/host/areas reads, as patterns: what an area reads more has to be added here.
# $PID is the process of mongod; $CGROUPS stands for each of its control groups.

# Read at every sample: what changes from second to second.
each_sample() {
  cat <<'LIST'
/proc/stat
/proc/meminfo
/proc/vmstat
/proc/diskstats
/proc/softirqs
/proc/interrupts
/proc/net/dev
/proc/$PID/stat
/proc/$PID/status
/proc/$PID/task/*/stat
/proc/$PID/task/*/wchan
$CGROUPS/cpu.stat
LIST
}

# Read once.
once() {
  cat <<'LIST'
/etc/os-release
/proc/cpuinfo
/proc/uptime
/proc/version
/proc/self/mountinfo
/proc/spl/kstat/zfs/arcstats
/sys/module/zfs/parameters/*
/proc/sys/vm/*
/proc/sys/kernel/hostname
/proc/sys/kernel/osrelease
/proc/sys/kernel/arch
/proc/sys/kernel/pid_max
/proc/sys/kernel/threads-max
/proc/sys/kernel/sched_*
/proc/sys/fs/file-*
/proc/sys/net/core/*
/proc/sys/net/ipv4/tcp_*
/proc/irq/*/smp_affinity_list
/proc/irq/*/effective_affinity_list
/proc/*/status
/proc/*/comm
/proc/$PID/limits
/proc/$PID/maps
/proc/$PID/cgroup
/proc/$PID/mountinfo
/proc/$PID/sched
/proc/$PID/net/tcp
/proc/$PID/net/tcp6
/proc/$PID/net/route
/proc/$PID/net/if_inet6
/proc/$PID/net/dev
/sys/kernel/mm/transparent_hugepage/*
/sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_none
/sys/kernel/debug/sched/features
/sys/kernel/debug/sched_features
/sys/devices/system/clocksource/clocksource0/*_clocksource
/sys/devices/system/node/node*/cpulist
/sys/devices/system/node/*
/sys/devices/system/cpu/*
/sys/devices/system/cpu/smt/*
/sys/devices/system/cpu/cpu*/topology/*
/sys/devices/system/cpu/cpufreq/policy*/scaling_*
/sys/devices/system/cpu/cpu*/cpufreq/scaling_*
/sys/class/net/*/*
/sys/class/net/*/queues/rx-*/rps_*
/sys/block/*/dev
/sys/block/*/size
/sys/block/*/queue/*
/sys/block/*/device/model
/sys/block/*/device/vendor
/sys/block/*/dm/name
/sys/block/*/slaves/*/dev
/sys/block/*/md/level
$CGROUPS/memory.max
$CGROUPS/memory.high
$CGROUPS/memory.current
$CGROUPS/memory.limit_in_bytes
$CGROUPS/memory.usage_in_bytes
$CGROUPS/cpu.max
$CGROUPS/cpu.cfs_quota_us
$CGROUPS/cpu.cfs_period_us
LIST
}

# Symbolic links.
links() {
  cat <<'LIST'
/proc/$PID/cwd
/proc/$PID/root
/proc/$PID/ns/net
/proc/self/ns/net
/sys/class/net/*/device
/sys/class/net/*/device/driver
LIST
}

# A kernel on more nodes than one walks all memory of a process to write this.
on_several_nodes() {
  cat <<'LIST'
/proc/$PID/numa_maps
LIST
}

# awk that writes files as JSON. Its list has one instruction a line, what kind and the path; what
# plain files (kind T) hold comes from head: an awk may end where a file of the kernel answers with
# an error. Bytes that are no UTF-8 become U+FFFD, as Node.js reads them. No apostrophe may be in it.
WRITER='
BEGIN {
  for (i = 1; i < 256; i++) CODE[sprintf("%c", i)] = i
  HIGH = "[" sprintf("%c", 128) "-" sprintf("%c", 255) "]"
}
function escape(s,   out, n, i, c) {
  gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); gsub(/\t/, "\\t", s); gsub(/\r/, "\\r", s)
  if (s ~ /[\001-\037\177]/) {
    out = ""; n = length(s)
    for (i = 1; i <= n; i++) {
      c = substr(s, i, 1)
      out = out (CODE[c] < 32 || CODE[c] == 127 ? sprintf("\\u%04x", CODE[c]) : c)
    }
    s = out
  }
  return s ~ HIGH ? valid(s) : s
}
function valid(s,   out, n, i, c, more) {
  out = ""; n = length(s)
  for (i = 1; i <= n; i += more + 1) {
    c = CODE[substr(s, i, 1)]
    more = c < 128 ? 0 : c >= 194 && c < 224 ? 1 : c >= 224 && c < 240 ? 2 : c >= 240 && c < 245 ? 3 : -1
    if (more > 0 && !follows(s, i, c, more)) more = -1
    if (more < 0) { out = out "\\ufffd"; more = 0 }
    else out = out substr(s, i, more + 1)
  }
  return out
}
function follows(s, i, c, more,   k, next_) {
  for (k = 1; k <= more; k++) {
    next_ = i + k > length(s) ? 0 : CODE[substr(s, i + k, 1)]
    if (next_ < 128 || next_ > 191) return 0
    if (k == 1 && ((c == 224 && next_ < 160) || (c == 237 && next_ > 159) || (c == 240 && next_ < 144) || (c == 244 && next_ > 143))) return 0
  }
  return 1
}
function key(path) { printf "%s\n\"%s\":\"", (many++ ? "," : ""), escape(path) }
function bad(path, why) { FAILED = FAILED (FAILED == "" ? "" : ",") "\n\"" escape(path) "\":\"" why "\"" }
# Strings that end with NUL: the arguments of a process, without what may be a password; of its environment one variable.
function strings(path, only,   command, line, hidden) {
  command = "tr \"\\000\" \"\\012\" 2>/dev/null < " path
  key(path)
  while ((command | getline line) > 0) {
    if (only != "" && index(line, only) != 1) continue
    if (hidden) line = "(left out)"
    hidden = only == "" && line ~ /[Pp]ass|[Ss]ecret/ && line !~ /=/
    if (only == "") sub(/[Pp]ass[^=]*=.*/, "password=(left out)", line)
    printf "%s\\u0000", escape(line)
  }
  close(command); printf "\""
}
# A configuration file: only what it says of the cache.
function config(path,   line) {
  key(path)
  while ((getline line < path) > 0) if (line ~ /[cC]acheSize/) printf "%s\\n", escape(line)
  close(path); printf "\""
}
function output(path, file,   line) {
  key(path)
  while ((getline line < file) > 0) printf "%s\\n", escape(line)
  close(file); printf "\""
}
function instruction(kind, path,   more) {
  if (kind ~ /[LOX]/) getline more < list
  if (path in seen) return
  seen[path] = kind
  if (kind == "M") bad(path, "not there")
  else if (kind == "U") bad(path, "not readable by this user")
  else if (kind == "A") strings(path, "")
  else if (kind == "V") strings(path, "GLIBC_TUNABLES=")
  else if (kind == "C") config(path)
  else if (kind == "L") { key(path); printf "%s\"", escape(more) }
  else if (kind == "O") output(path, more)
  else if (kind == "X") bad(path, escape(more))
}
BEGIN { while ((getline line_ < list) > 0) instruction(substr(line_, 1, 1), substr(line_, 3)) }
# What head writes of many files: a line with the name before each, and an empty line between.
/^==> .* <==$/ {
  path_ = substr($0, 5, length($0) - 8)
  if (path_ == "/dev/null" || seen[path_] == "T") {
    if (open_) printf "\""
    open_ = path_ != "/dev/null"; lines_ = 0
    if (open_) { key(path_); seen[path_] = "read" }
    next
  }
}
open_ { printf "%s%s", (lines_++ ? "\\n" : ""), escape($0) }
END {
  for (path_ in seen) if (seen[path_] == "T") bad(path_, "not readable by this user")
  printf "\n}%s", (FAILED == "" ? "" : ",\"failed\":{" FAILED "\n}")
}
'

set -u
LC_ALL=C
export LC_ALL
SAMPLES=${1-1}
case $SAMPLES in '' | *[!0-9]*) echo "usage: sh $0 [SECONDS]" >&2; exit 2 ;; esac
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
port_of() { found=$(option --port "$1"); [ -n "$found" ] || found=$(configured port "$1"); echo "${found:-27017}"; }
path_of() { found=$(option --dbpath "$1"); [ -n "$found" ] || found=$(configured dbPath "$1"); [ -n "$found" ] || found=$(configured dbpath "$1"); echo "${found:-/data/db}"; }

mongods() {
  for comm in /proc/[0-9]*/comm; do
    { read -r name < "$comm"; } 2>/dev/null || continue
    if [ "$name" = mongod ]; then name=${comm#/proc/}; echo "${name%/comm}"; fi
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
PID=${PID-}
if [ -z "$PID" ]; then
  PID=$(choose "${PORT-$WANTED_PORT}" "${DBPATH-$WANTED_DBPATH}")
  [ -n "$PID" ] || PID=$(choose "${PORT-}" "${DBPATH-}")
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
      if [ "$top" != / ]; then group=${group#"$top"}; fi
      while [ -n "$group" ] && [ "$group" != / ]; do echo "$point$group"; group=${group%/*}; done
      echo "$point"
    done
  done | awk '!seen[$0]++'
)

# What there is of each pattern, with the kind of reading that WRITER does.
found() {
  IFS=
  while read -r pattern; do
    case $pattern in
      '$CGROUPS'*) printf '%s\n' "$CGROUPS" | while read -r group; do [ -f "$group${pattern#\$CGROUPS}" ] && kind "$group${pattern#\$CGROUPS}"; done ;;
      *'$PID'*) there "${pattern%%\$PID*}$PID${pattern#*\$PID}" ;;
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
  around=${1%/*}
  while [ -n "$around" ]; do
    if [ -d "$around" ]; then [ ! -x "$around" ]; return; fi
    around=${around%/*}
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
each_link() { IFS=; while read -r line; do line=${line#? }; link "$line"; done; }
# Every symbolic link on the way to a path, and to where they lead: way ROOT DONE REST DEPTH
way() {
  [ "$4" -lt 40 ] && [ -n "$3" ] || return 0
  first=${3%%/*}
  case $3 in */*) set -- "$1" "$2" "${3#*/}" "$4" "$first" ;; *) set -- "$1" "$2" '' "$4" "$first" ;; esac
  if [ -z "$5" ]; then way "$1" "$2" "$3" "$4"
  elif [ -L "$1$2/$5" ]; then
    link "$1$2/$5"
    target=$(readlink "$1$2/$5")
    case $target in /*) way "$1" '' "${target#/}/$3" $(($4 + 1)) ;; *) way "$1" "$2" "$target/$3" $(($4 + 1)) ;; esac
  else way "$1" "$2/$5" "$3" "$4"
  fi
}
expand_links() {
  while read -r pattern; do
    case $pattern in *'$PID'*) pattern=${pattern%%\$PID*}$PID${pattern#*\$PID} ;; esac
    for one in $pattern; do echo "L $one"; done
  done
}
all_links() {
  links | expand_links | each_link
  case $DBPATH in /*) full=$DBPATH ;; *) full=$(readlink "/proc/$PID/cwd")/$DBPATH ;; esac
  way '' '' "${full#/}" 0
  way "/proc/$PID/root" '' "${full#/}" 0
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

printf '{"format":"mongosh-tune host","version":1,"pid":%s,"port":%s,"cacheBytes":%s,' "$PID" "${PORT:-null}" "${CACHE_BYTES:-null}"
printf 'L %s\n%s\n' dbPath "$DBPATH" serverVersion "$VERSION" host "$(uname -n)" | write | sed '$d'
printf ',"snapshots":['
printf '{"atMs":%s,"files":{' "$(at)"
{ each_sample | found; once | found; several_nodes; private; } | write
printf '}'
sample=0
while [ "$sample" -lt "$SAMPLES" ]; do
  sleep 1
  sample=$((sample + 1))
  printf ',\n{"atMs":%s,"files":{' "$(at)"
  each_sample | found | write
  printf '}'
done
printf '],\n"links":{'
all_links | write
printf ',\n"commands":{'
commands | write
printf '}\n'
