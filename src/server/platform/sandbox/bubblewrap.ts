import { closeSync, existsSync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkout } from '../process/checkout.ts'
import type { BoxBounds } from './job.ts'
import { seccompFilter } from './seccomp.ts'

/** A process to start. Its descriptors are the three standard ones, 4 for output frames, and those listed here. */
export type BoxCommand = {
  program: string
  args: string[]
  /** Content of descriptor 3, if there is any. */
  filter: Buffer | null
  /** Opened files, from descriptor 5 on; `release` closes them. */
  opened: number[]
  release: () => void
  /** The user that runs it if this process is root. */
  user: { uid: number; gid: number } | Record<string, never>
  env: NodeJS.ProcessEnv
}

/** Ids of users and groups in a box. */
const NOBODY = 65_534
const SHARED_MEMORY = 16 * 1024 * 1024
const SCRATCH = 64 * 1024 * 1024

/** Programs that run Python; null if this machine lacks them. */
export type Programs = { bubblewrap: string | null; python: string | null }

/** Paths of Python in Debian and in the official Python images. One in a home folder is not visible in the box. */
const pythons = ['/usr/bin/python3', '/usr/local/bin/python3']

export function findPrograms(): Programs {
  const paths = (process.env.PATH ?? '').split(':')
  return {
    bubblewrap: paths.map((path) => join(path, 'bwrap')).find((path) => existsSync(path)) ?? null,
    python: pythons.find((path) => existsSync(path)) ?? null,
  }
}

/** Folder of the product, whose `.env` may hold secrets. */
export const checkoutFolder = fileURLToPath(checkout)

const inside = (name: string) =>
  fileURLToPath(new URL(`src/server/platform/sandbox/inside/${name}`, checkout))

/** System folders that programs need. The rest of the host is not visible. */
const libraries = ['bin', 'lib', 'lib32', 'lib64', 'libx32', 'sbin']
const configuration = ['alternatives', 'fonts', 'ld.so.cache', 'matplotlibrc', 'python3', 'python3.11']

/**
 * Arguments shared by all boxes: separate namespaces for users, processes and network, no privileges, and a read-only view
 * of the host's system programs. The process already leads a session (`detached`); a second one would escape its low
 * priority.
 */
export function systemInBox(filter: Buffer | null, hidden: string[]): string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent'],
    ...['--cap-drop', 'ALL', '--clearenv', '--uid', '1000', '--gid', '1000', '--hostname', 'box'],
    ...(filter ? ['--seccomp', '3'] : []),
    ...['--ro-bind', '/usr', '/usr', ...libraries.flatMap(bindLibrary)],
    ...configuration.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...[checkoutFolder, ...hidden].flatMap(hide),
    // Read-only, because a program could otherwise raise the priority of its session there.
    ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev'],
    ...['--size', String(SHARED_MEMORY), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
  ]
}

/** Mounts an empty folder over one inside a system folder, such as `/usr/src/app` in many images. */
function hide(folder: string): string[] {
  const place = existsSync(folder) ? realpathSync(folder) : resolve(folder)
  const isShown = ['usr', ...libraries].some((name) => place.startsWith(`/${name}/`))
  return isShown ? ['--size', '65536', '--tmpfs', place] : []
}

/**
 * Runs Python in a box with a working folder in memory. Never as root, because limits on processes do not apply to root.
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

/** Numeric libraries otherwise start a thread per core, each with its own memory. */
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

/** Links into /usr remain links, as on most systems; separate folders are bound read-only. */
function bindLibrary(name: string): string[] {
  const path = `/${name}`
  if (!existsSync(path)) return []
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path]
}
