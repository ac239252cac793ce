"""Runs one program in the box: receives its files, bounds it, and hands back the files it left.

Frames come on descriptor 0 and go out on descriptor 4 (see frames.ts). What runs here is hostile to be safe: nothing
outside believes what it says.
"""
import json
import os
import resource
import signal
import stat
import struct
import sys

FOLDER = '/work'
NICENESS = 10


def receive(source):
    code, known = '', {}
    while True:
        (length,) = struct.unpack('>I', source.read(4))
        header = json.loads(source.read(length))
        if header['kind'] == 'bounds':
            return code, known, header
        if header['kind'] == 'code':
            code = source.read(header['size']).decode()
            continue
        path = os.path.join(FOLDER, header['name'])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        left = header['size']
        with open(path, 'wb') as target:
            while left:
                part = source.read(min(left, 1 << 20))
                if not part:
                    raise EOFError
                target.write(part)
                left -= len(part)
        known[header['name']] = mark(os.lstat(path))


def mark(found):
    return (found.st_size, found.st_mtime_ns, found.st_ino)


def bound(bounds):
    def limit(what, most):
        resource.setrlimit(what, (most, most))

    try:
        os.nice(max(0, NICENESS - os.nice(0)))
    except OSError:
        pass
    limit(resource.RLIMIT_AS, bounds['memory'])
    limit(resource.RLIMIT_FSIZE, bounds['disk'])
    limit(resource.RLIMIT_NPROC, bounds['processes'])
    limit(resource.RLIMIT_NOFILE, 256)
    limit(resource.RLIMIT_CORE, 0)
    resource.setrlimit(resource.RLIMIT_CPU, (bounds['cpu'], bounds['cpu'] + 1))


def perform(code):
    """The program as `__main__`; a failure shows its own lines only."""
    import linecache
    import traceback

    sys.stdout.reconfigure(line_buffering=True)
    linecache.cache['code.py'] = (len(code), None, code.splitlines(True), 'code.py')
    main = type(sys)('__main__')
    main.__dict__['__builtins__'] = __builtins__
    sys.modules['__main__'] = main
    sys.argv = ['code.py']
    sys.path.insert(0, FOLDER)
    status = 0
    try:
        exec(compile(code, 'code.py', 'exec'), main.__dict__)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException as failure:
        frames = failure.__traceback__.tb_next
        traceback.print_exception(type(failure), failure, frames, limit=-20)
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def files():
    """Plain files of the folder, by their names; links and devices are none."""
    for folder, _, names in os.walk(FOLDER):
        for name in sorted(names):
            path = os.path.join(folder, name)
            found = os.lstat(path)
            if stat.S_ISREG(found.st_mode) and '__pycache__' not in path:
                yield os.path.relpath(path, FOLDER), path, found


def hand_back(target, known, status, most):
    def say(header):
        text = json.dumps(header).encode('utf-8', 'replace')
        target.write(struct.pack('>I', len(text)) + text)

    seen, sent = set(), 0
    for name, path, found in files():
        seen.add(name)
        if known.get(name) == mark(found):
            continue
        sent += 1
        if sent > most * 2:
            continue
        with open(path, 'rb') as source:
            content = source.read()
        say({'kind': 'file', 'name': name, 'size': len(content)})
        target.write(content)
    say({'kind': 'gone', 'names': [name for name in known if name not in seen]})
    say({'kind': 'end', **status})
    target.flush()


def main():
    with os.fdopen(0, 'rb', closefd=False) as source:
        code, known, bounds = receive(source)
    child = os.fork()
    if child == 0:
        os.close(4)
        nothing = os.open('/dev/null', os.O_RDONLY)
        os.dup2(nothing, 0)
        os.chdir(FOLDER)
        bound(bounds)
        status = perform(code)
        os._exit(status & 0xFF)
    _, ended = os.waitpid(child, 0)
    # Whatever it left running ends here.
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass
    how = {'code': os.WEXITSTATUS(ended)} if os.WIFEXITED(ended) else {'signal': os.WTERMSIG(ended)}
    with os.fdopen(4, 'wb') as target:
        hand_back(target, known, how, bounds['files'])


main()
