import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { SourceFolder } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { giveTurns } from '../../give-turns.ts'
import { fetchPack } from './fetch-pack.ts'
import type { Pack } from './pack/pack.ts'
import { discover, type Head, type Remote } from './remote.ts'

const MAX_SHOWN_FOLDERS = 500
const MAX_ENTRIES = 500_000
/** Characters of all paths, and of one. Longer paths cannot be checked out either. */
const [MAX_CHARACTERS, MAX_PATH_CHARACTERS] = [64_000_000, 4096]
const MAX_DEPTH = 100
/** Time that a fetched repository stays open after its use: a sync is done in slices, each of which opens the source. */
const KEEP_MS = 60_000
const MAX_KEPT = 4

/** A file of a commit. */
export type GitFile = { path: string; oid: string }

/** The files of a commit, in the order of the bytes of their paths. */
export type Repository = {
  remote: Remote
  branch: string
  commit: string
  files: GitFile[]
  byPath: ReadonlyMap<string, GitFile>
  pack: Pack
}

type Kept = { repository: Promise<Repository>; users: number; timer?: NodeJS.Timeout }
const kept = new Map<string, Kept>()

/** Returns the newest state of a repository when it is first needed, and closes it a while after the last use. */
export function keepRepository(remote: Remote): {
  /** Returns the newest commit, without fetching anything. */
  commit: () => Promise<string>
  repository: () => Promise<Repository>
  close: () => Promise<void>
} {
  let used: { key: string; one: Kept } | null = null
  let opening: Promise<Repository> | null = null
  let finding: Promise<Head> | null = null
  const head = () => {
    finding ??= discover(remote).catch((error) => {
      finding = null
      throw error
    })
    return finding
  }
  const begin = async () => {
    const found = await head()
    const key = keyOf(remote, found)
    const one = kept.get(key) ?? { repository: openRepository(remote, found), users: 0 }
    clearTimeout(one.timer)
    kept.set(key, one)
    one.users += 1
    used = { key, one }
    return one.repository
  }
  const close = async () => {
    if (used) release(used.key, used.one)
    used = opening = finding = null
  }
  return {
    commit: async () => (await head()).commit,
    repository: () => {
      opening ??= begin().catch(async (error) => {
        if (used && kept.get(used.key) === used.one) kept.delete(used.key)
        await close()
        // The one who began to fetch it may have stopped.
        if (error instanceof DOMException && !remote.context.signal.aborted)
          throw new AppError('unavailable', 'The repository could not be fetched.', { cause: error })
        throw error
      })
      return opening
    },
    close,
  }
}

/** A repository is shared only by those who sign in to it in the same way. */
const keyOf = ({ url, headers }: Remote, { branch, commit }: Head) =>
  createHash('sha256')
    .update(JSON.stringify([url, headers, branch, commit]))
    .digest('hex')

function release(key: string, one: Kept): void {
  one.users -= 1
  if (one.users > 0) return
  // A repository that could not be opened is no longer kept.
  if (kept.get(key) !== one) return void end(key, one)
  one.timer = setTimeout(() => end(key, one), KEEP_MS).unref()
  closeIdle(MAX_KEPT)
}

/** Closes the repositories that nothing uses, without some that were used last. */
export function closeIdle(left = 0): void {
  const idle = [...kept].filter(([, { users }]) => users === 0)
  for (const [key, one] of idle.slice(0, Math.max(idle.length - left, 0))) end(key, one)
}

function end(key: string, one: Kept): void {
  clearTimeout(one.timer)
  if (kept.get(key) === one) kept.delete(key)
  one.repository.then(({ pack }) => pack.close()).catch(() => undefined)
}

async function openRepository(remote: Remote, head: Head): Promise<Repository> {
  const pack = await fetchPack(remote, head)
  try {
    return { remote, branch: head.branch, commit: head.commit, pack, ...(await listFiles(pack, head.commit)) }
  } catch (error) {
    await pack.close()
    throw error
  }
}

/**
 * Lists the files of a commit in the order of the bytes of their paths, each path once. Folders may be stored in another order. Symbolic
 * links and submodules are left out.
 * @throws AppError `unavailable`, `not_available`
 */
async function listFiles(pack: Pack, commit: string): Promise<Pick<Repository, 'files' | 'byPath'>> {
  const found = await pack.read(commit)
  const tree = /^tree ([0-9a-f]{40})\n/.exec(found?.bytes.toString('latin1', 0, 100) ?? '')?.[1]
  if (tree === undefined) throw new AppError('unavailable', 'The repository arrived damaged.')
  const [files, byPath] = [[] as GitFile[], new Map<string, GitFile>()]
  const open = [{ start: '', entries: await readFolder(pack, tree) }]
  const turn = giveTurns()
  // Folders of a small repository may name each other many times, and so have any number of files.
  let characters = 0
  for (let steps = 0; open.length > 0; steps += 1) {
    if (steps > MAX_ENTRIES || characters > MAX_CHARACTERS)
      throw new AppError(
        'not_available',
        'The repository is too large: at most 500,000 files and folders are read.',
      )
    await turn()
    const folder = open.at(-1)
    const { value: entry } = folder?.entries.next() ?? {}
    if (!folder || !entry) {
      open.pop()
      continue
    }
    const file = { path: folder.start + entry.name, oid: entry.oid }
    if (file.path.length > MAX_PATH_CHARACTERS) continue
    characters += file.path.length
    if (entry.mode.startsWith('100')) {
      if (!byPath.has(file.path)) files.push(file)
      byPath.set(file.path, byPath.get(file.path) ?? file)
    } else if (entry.mode === '40000' && open.length < MAX_DEPTH)
      open.push({ start: `${file.path}/`, entries: await readFolder(pack, entry.oid) })
  }
  return { files: sortByBytes(files), byPath }
}

/** Sorts by the bytes of UTF-8, which differ from the order of UTF-16 for characters above U+FFFF. */
function sortByBytes(files: readonly GitFile[]): GitFile[] {
  const keyed = files.map((file) => ({ file, key: Buffer.from(file.path) }))
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ file }) => file)
}

type Entry = { mode: string; name: string; oid: string }

async function readFolder(pack: Pack, oid: string): Promise<Iterator<Entry, undefined>> {
  const found = await pack.read(oid)
  if (found?.type !== 'tree') throw new AppError('unavailable', 'The repository arrived damaged.')
  return entriesOf(found.bytes)
}

/** Reads the entries of a folder. Those whose name is no name of a file are left out. */
function* entriesOf(bytes: Buffer): Generator<Entry, undefined> {
  for (let at = 0; at < bytes.length; ) {
    const [space, end] = [bytes.indexOf(32, at), bytes.indexOf(0, at)]
    if (space === -1 || end === -1 || space > end)
      throw new AppError('unavailable', 'The repository arrived damaged.')
    const [mode, name] = [bytes.toString('latin1', at, space), nameOf(bytes.subarray(space + 1, end))]
    at = end + 21
    if (name === '' || name === '.' || name === '..' || name.includes('/')) continue
    yield { mode, name, oid: bytes.toString('hex', end + 1, at) }
  }
  return undefined
}

/** Returns a name as text; one that is no UTF-8 with its other bytes percent-encoded, so that different names stay different. */
function nameOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  return bytes.toString('latin1').replace(/[^\x20-\x7e]/g, (one) => `%${hexOf(one)}`)
}

const hexOf = (one: string) => one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')

/** Returns the index of the first file behind a path. */
export function indexBehind(files: readonly GitFile[], path: string | null): number {
  if (path === null) return 0
  const last = Buffer.from(path)
  let [low, high] = [0, files.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (Buffer.compare(Buffer.from(files[middle]?.path ?? ''), last) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the folders directly in a folder, by name. */
export function foldersIn({ files }: Repository, path: string): { items: SourceFolder[]; has_more: boolean } {
  const start = path === '' ? '' : `${path}/`
  const found = new Map<string, boolean>()
  for (const { path: own } of files) {
    if (!own.startsWith(start)) continue
    const [name = '', ...below] = own.slice(start.length).split('/')
    if (below.length > 0) found.set(name, (found.get(name) ?? false) || below.length > 1)
  }
  const items = [...found].map(([name, has_folders]) => ({ path: start + name, name, has_folders }))
  return { items: items.slice(0, MAX_SHOWN_FOLDERS), has_more: items.length > MAX_SHOWN_FOLDERS }
}
