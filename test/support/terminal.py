"""Runs a program on a pseudo terminal.

stdin goes to the terminal and the terminal to stdout. Control lines, in JSON, come in on descriptor 3: first
{"command": [...], "env": {...}, "size": [columns, rows]}, then {"resize": [columns, rows]} or {"signal": number};
and go out on stderr: {"resized": [columns, rows]}, {"exit": code}. The program is ended when stdin ends.
"""
import fcntl
import json
import os
import pty
import select
import signal
import struct
import termios

CONTROL = 3
CHUNK_BYTES = 65536


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def tell(**what):
    os.write(2, (json.dumps(what) + "\n").encode())


def start(command, env, size):
    gate, opener = os.pipe()
    pid, terminal = pty.fork()
    if pid == 0:
        # The program must not look at the size before it is set.
        os.read(gate, 1)
        os.close(CONTROL)
        try:
            os.execvpe(command[0], command, env)
        finally:
            os._exit(127)
    resize(terminal, *size)
    os.write(opener, b"x")
    return pid, terminal


def obey(pid, terminal, line):
    order = json.loads(line)
    if "resize" in order:
        resize(terminal, *order["resize"])
        tell(resized=order["resize"])
    if "signal" in order:
        os.kill(pid, order["signal"])


def read(descriptor):
    try:
        return os.read(descriptor, CHUNK_BYTES)
    except OSError:
        return b""


def relay(pid, terminal):
    control = b""
    sources = [terminal, 0, CONTROL]
    while True:
        for source in select.select(sources, [], [])[0]:
            data = read(source)
            if source == terminal:
                if not data:
                    return
                os.write(1, data)
            elif source == 0:
                if not data:
                    return os.kill(pid, signal.SIGKILL)
                os.write(terminal, data)
            elif not data:
                sources.remove(CONTROL)
            else:
                *lines, control = (control + data).split(b"\n")
                for line in lines:
                    obey(pid, terminal, line)


def first_order():
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(CONTROL, 1)
    return json.loads(line)


def main():
    pid, terminal = start(**first_order())
    relay(pid, terminal)
    status = os.waitpid(pid, 0)[1]
    tell(exit=os.waitstatus_to_exitcode(status))


main()
