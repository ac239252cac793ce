import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type BoxCommand, checkoutFolder, systemInBox } from './bubblewrap.ts'
import { seccompFilter } from './seccomp.ts'

const packages = join(checkoutFolder, 'node_modules')
const entry = join(checkoutFolder, 'src/server/platform/sandbox/inside/run-quickjs.ts')

/** The entry and its imports: two of our files, the interpreter, the package that drives it, and shared dependencies. */
const parts = [
  entry,
  join(checkoutFolder, 'src/server/platform/sandbox/frames.ts'),
  join(checkoutFolder, 'src/server/platform/process/lower-priority.ts'),
  ...['@jitl/quickjs-wasmfile-release-sync', 'quickjs-emscripten-core', '@jitl/quickjs-ffi-types'].map(
    (name) => join(packages, name),
  ),
]

type Options = {
  /** Adds a second layer of isolation; null if this machine has none. */
  bubblewrap: string | null
  /** Folders with secrets, hidden if they are inside a system folder. */
  hidden: string[]
  /** Replaces the interpreter, to test the box. */
  script?: string
}

/**
 * Runs JavaScript in an interpreter of its own (QuickJS, as WebAssembly). Its process may read the interpreter and nothing
 * else: Node denies other files, programs, threads, add-ons and debuggers. Node 24 does not deny network access, but
 * bubblewrap does.
 */
export function javascriptInBox({ bubblewrap, hidden, script = entry }: Options): BoxCommand {
  const places = script === entry ? parts : [...parts, script]
  const node = [process.execPath, ...permission(places), '--no-warnings', '--max-old-space-size=256', script]
  const plain = { opened: [], release: () => undefined, user: {}, env: {} }
  if (bubblewrap === null) return { ...plain, program: process.execPath, args: node.slice(1), filter: null }
  const filter = seccompFilter({ mayConnect: false })
  const args = [
    ...systemInBox(filter, hidden),
    ...[process.execPath, ...places].flatMap((place) => ['--ro-bind', place, place]),
    ...['--remount-ro', '/', '--chdir', '/', '--', ...node],
  ]
  return { ...plain, program: bubblewrap, args, filter }
}

function permission(places: string[]): string[] {
  const isLink = lstatSync(packages).isSymbolicLink()
  // Node checks a link before following it.
  const all = new Set([
    ...places,
    ...places.map((place) => realpathSync(place)),
    ...(isLink ? [packages] : []),
  ])
  return ['--permission', ...[...all].map((place) => `--allow-fs-read=${place}`)]
}
