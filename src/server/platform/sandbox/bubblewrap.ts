import { closeSync, existsSync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkout } from '../process/checkout.ts'
import type { BoxBounds } from './job.ts'
import { seccompFilter } from './seccomp.ts'

/** A process to start: what its descriptors are besides the three usual ones and the frames that come out on 4. */
export type BoxCommand = {
  program: string
  args: string[]
  /** Written to descriptor 3, when there is something. */
  filter: Buffer | null
  /** Opened files, from descriptor 5 on; closed by `release`. */
  opened: number[]
  release: () => void
  /** The user it starts as, when this process is root. */
  user: { uid: number; gid: number } | Record<string, never>
  env: NodeJS.ProcessEnv
}

/** Users, groups and processes of a box are nobody's. */
const NOBODY = 65_534
const SHARED_MEMORY = 16 * 1024 * 1024
const SCRATCH = 64 * 1024 * 1024

/** What Python is run with; null where this machine lacks it. */
export type Programs = { bubblewrap: string | null; python: string | null }

/** Where Debian and the official images of Python have it; one in a home folder is not visible in the box. */
const pythons = ['/usr/bin/python3', '/usr/local/bin/python3']

export function findPrograms(): Programs {
  const paths = (process.env.PATH ?? '').split(':')
  return {
    bubblewrap: paths.map((path) => join(path, 'bwrap')).find((path) => existsSync(path)) ?? null,
    python: pythons.find((path) => existsSync(path)) ?? null,
  }
}

/** The folder of the product, whose `.env` may hold secrets. */
export const checkoutFolder = fileURLToPath(checkout)

const inside = (name: string) =>
  fileURLToPath(new URL(`src/server/platform/sandbox/inside/${name}`, checkout))

/** Folders of the system that programs need; the rest of the host is not there. */
const libraries = ['bin', 'lib', 'lib32', 'lib64', 'libx32', 'sbin']
const configuration = ['alternatives', 'fonts', 'ld.so.cache', 'matplotlibrc', 'python3', 'python3.11']

/**
 * What boxes have in common: names, processes and a network of their own, no rights, and of the files of the host the programs of the
 * system, read-only. The process leads a session already (`detached`); a second one would escape its low priority.
 */
export function systemInBox(filter: Buffer | null, hidden: string[]): string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent'],
    ...['--cap-drop', 'ALL', '--clearenv', '--uid', '1000', '--gid', '1000', '--hostname', 'box'],
    ...(filter ? ['--seccomp', '3'] : []),
    ...['--ro-bind', '/usr', '/usr', ...libraries.flatMap(bindLibrary)],
    ...configuration.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...[checkoutFolder, ...hidden].flatMap(hide),
    // Read-only, as a program could raise the priority of its session there.
    ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev'],
    ...['--size', String(SHARED_MEMORY), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
  ]
}

/** Lays an empty folder over one that lies in a folder of the system, as `/usr/src/app` does in many images. */
function hide(folder: string): string[] {
  const place = existsSync(folder) ? realpathSync(folder) : resolve(folder)
  const isShown = ['usr', ...libraries].some((name) => place.startsWith(`/${name}/`))
  return isShown ? ['--size', '65536', '--tmpfs', place] : []
}

/**
 * Python in a box of its own, with a working folder in memory. Never as root: limits on processes do not bind it.
 */
export function pythonInBox(programs: Programs, bounds: BoxBounds, hidden: string[]): BoxCommand {
  const { bubblewrap, python } = programs
  if (bubblewrap === null || python === null) throw new Error('Python cannot be run here.')
  const filter = seccompFilter({ mayConnect: true })
  const opened = ['run.py', 'atrium_figures.py'].map((name) => openSync(inside(name), 'r'))
  const isRoot = process.getuid?.() === 0
  const args = [
    ...systemInBox(filter, hidden),
    ...(python.startsWith('/usr/local/') ? [] : ['--tmpfs', '/usr/local', '--remount-ro', '/usr/local']),
    ...['--ro-bind-data', '5', '/box/run.py', '--ro-bind-data', '6', '/box/atrium_figures.py'],
    ...['--size', String(SCRATCH), '--tmpfs', '/tmp', '--size', String(bounds.disk), '--tmpfs', '/work'],
    ...['--remount-ro', '/', '--chdir', '/work'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--', python, '-s', '/box/run.py'],
  ]
  return {
    ...{ program: bubblewrap, args, filter, opened, env: {} },
    user: isRoot ? { uid: NOBODY, gid: NOBODY } : {},
    release: () => opened.forEach(closeSync),
  }
}

/** Numeric libraries take a thread per core otherwise, each with memory of its own. */
const environment = {
  PATH: '/usr/bin:/bin',
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONPATH: '/box',
  MPLBACKEND: 'module://atrium_figures',
  MPLCONFIGDIR: '/tmp/matplotlib',
  OMP_NUM_THREADS: '1',
  OPENBLAS_NUM_THREADS: '1',
}

/** Links into /usr stay links, as on most systems; folders of their own are shown read-only. */
function bindLibrary(name: string): string[] {
  const path = `/${name}`
  if (!existsSync(path)) return []
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path]
}
