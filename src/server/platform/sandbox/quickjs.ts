import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type BoxCommand, checkoutFolder, systemInBox } from './bubblewrap.ts'
import { seccompFilter } from './seccomp.ts'

const packages = join(checkoutFolder, 'node_modules')
const entry = join(checkoutFolder, 'src/server/platform/sandbox/inside/run-quickjs.ts')

/** The entry and what it imports: two of our files, the interpreter, the package that drives it, and what both import. */
const parts = [
  entry,
  join(checkoutFolder, 'src/server/platform/sandbox/frames.ts'),
  join(checkoutFolder, 'src/server/platform/process/lower-priority.ts'),
  ...['@jitl/quickjs-wasmfile-release-sync', 'quickjs-emscripten-core', '@jitl/quickjs-ffi-types'].map(
    (name) => join(packages, name),
  ),
]

type Options = {
  /** Puts a second wall around the process; null where this machine has none. */
  bubblewrap: string | null
  /** Folders that hold secrets, hidden where they lie in a folder of the system. */
  hidden: string[]
  /** Another program than the interpreter, to try the box with. */
  script?: string
}

/**
 * JavaScript in an interpreter of its own (QuickJS, as WebAssembly). Its process may read the interpreter and nothing else: Node refuses
 * other files, programs, threads, add-ons and debuggers. Node 24 does not refuse the network, which bubblewrap does.
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
  // Node looks at a link before it follows it.
  const all = new Set([
    ...places,
    ...places.map((place) => realpathSync(place)),
    ...(isLink ? [packages] : []),
  ])
  return ['--permission', ...[...all].map((place) => `--allow-fs-read=${place}`)]
}
