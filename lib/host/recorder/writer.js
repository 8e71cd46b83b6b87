'use strict';

/**
 * awk that writes files as JSON. The file `list` has one instruction a line, what kind and the
 * path; what plain files (kind T) hold comes from head: an awk may end where a file of the kernel
 * answers with an error. Texts go through as they are but for what JSON forbids; bytes that are no
 * UTF-8 become U+FFFD, as Node.js reads them. No apostrophe may be in here: the shell quotes it so.
 */
const WRITER = String.raw`
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
`;

module.exports = { WRITER };
