import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '#shared/platform/errors.ts'
import {
  defineConnector,
  ItemRefused,
  type ListedPage,
  type OpenedSource,
  type SourceItem,
} from '../../define-connector.ts'
import { giveTurns } from '../../give-turns.ts'
import { isSelected, mayContain } from '../../selected.ts'
import { followFolder } from './follow-folder.ts'

const PAGE = 500
const MAX_FOLDERS = 500

/** A folder of the server below one that the administrator of the machine allows. Symbolic links are not followed. */
export default defineConnector({
  id: 'folder',
  place: 1,
  fields: [{ name: 'path', type: 'text', required: true }],
  mirrorsRights: false,
  personal: false,
  hasFolders: true,
  isOffered: ({ ATRIUM_CONNECTOR_FOLDERS }) => ATRIUM_CONNECTOR_FOLDERS.length > 0,
  hostOf: () => null,
  follows: true,
  open: async ({ settings: { path = '' }, config, maxBytes, signal }): Promise<OpenedSource> => {
    const root = await allowedRoot(path, config.ATRIUM_CONNECTOR_FOLDERS)
    return {
      check: async () => void (await readdir(root).catch(unreachable)),
      folders: (below) => listFolders(root, below),
      list: (selection, cursor) => listPages({ root, selection, signal }, cursor),
      read: ({ id }) => openFile(root, id, maxBytes),
      follow: (selection, changed, until) => followFolder(root, selection, changed, until),
    }
  },
})

type Listing = { root: string; selection: Parameters<OpenedSource['list']>[0]; signal: AbortSignal }

/** Stands for bytes of a name that are no UTF-8. Such a name cannot be opened. */
const REPLACED = '\ufffd'

/** Returns the real path of a folder. @throws AppError `invalid` when it is outside of the allowed ones */
async function allowedRoot(path: string, allowed: readonly string[]): Promise<string> {
  const [real, ...roots] = await Promise.all([path, ...allowed].map((one) => realpath(one).catch(() => null)))
  if (!real || !roots.some((root) => root !== null && isWithin(real, root, sep)))
    throw new AppError('invalid', 'This folder does not exist, or is not below an allowed folder.')
  return real
}

function unreachable(error: unknown): never {
  throw new AppError('unavailable', 'The folder cannot be read.', { cause: error })
}

/** Returns the path on disk of a path below the root. Its folders are real: no symbolic link leads out. */
async function placeOf(root: string, below: string): Promise<string> {
  const place = await realpath(join(root, below)).catch(() => null)
  if (place === null) throw new ItemRefused('not_found', 'It no longer exists.')
  if (place !== join(root, below) || !isWithin(place, root, sep))
    throw new ItemRefused('refused', 'It is behind a symbolic link.')
  return place
}

async function listFolders(root: string, below: string) {
  const entries = await readdir(await placeOf(root, below), { withFileTypes: true }).catch(unreachable)
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
  const items = names.slice(0, MAX_FOLDERS).map((name) => ({
    ...{ name, path: below ? `${below}/${name}` : name, has_folders: true },
  }))
  return { items, has_more: names.length > MAX_FOLDERS }
}

/** Lists files in the order of their paths. The cursor is the path of the last one. */
async function* listPages(listing: Listing, cursor: string | null): AsyncGenerator<ListedPage> {
  let items: SourceItem[] = []
  const turn = giveTurns()
  for await (const path of walk(listing, '', cursor)) {
    const item = isSelected(listing.selection, path) ? await describe(listing.root, path) : null
    await turn()
    listing.signal.throwIfAborted()
    if (item) items.push(item)
    if (items.length < PAGE) continue
    yield { items, cursor: path }
    items = []
  }
  yield { items, cursor: null }
}

/** Yields paths of files after a cursor, depth first, each folder sorted by name. */
async function* walk(listing: Listing, below: string, after: string | null): AsyncGenerator<string> {
  const { root, selection, signal } = listing
  signal.throwIfAborted()
  // A folder that cannot be read must not look empty: its items would disappear.
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(unreachable)
  const sorted = entries
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of sorted) {
    const path = below ? `${below}/${entry.name}` : entry.name
    const isUnnamed = entry.name.includes(REPLACED)
    if (entry.isDirectory() && !(isUnnamed && (await isMissing(join(root, path))))) {
      const isPast = after !== null && !after.startsWith(`${path}/`) && comesBefore(path, after)
      if (!isPast && mayContain(selection, path)) yield* walk(listing, path, after)
    } else if (
      (entry.isFile() || (isUnnamed && entry.isDirectory())) &&
      (after === null || comesBefore(after, path))
    )
      yield path
  }
}

/** Tells whether a path is listed before another: by its parts, as `walk` sorts them. */
function comesBefore(one: string, other: string): boolean {
  const [a, b] = [one.split('/'), other.split('/')]
  const at = a.findIndex((part, index) => part !== b[index])
  if (at === -1) return a.length < b.length
  return (a[at] ?? '') < (b[at] ?? '')
}

const isMissing = (place: string) =>
  lstat(place).then(
    () => false,
    ({ code }) => code === 'ENOENT',
  )

/** Returns null for a file that is gone. @throws AppError `unavailable` when the disk cannot be asked: no item may look gone then */
async function describe(root: string, path: string): Promise<SourceItem | null> {
  const name = path.split('/').at(-1) ?? path
  const facts = await lstat(join(root, path), { bigint: true }).catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    return unreachable(error)
  })
  // It is listed, so that it appears among the refused items.
  if (!facts && name.includes(REPLACED)) return { id: path, version: '', path, name, size: null }
  if (!facts?.isFile()) return null
  const { size, mtimeNs, dev, ino } = facts
  const version = `${size}-${mtimeNs}`
  return {
    ...{ id: path, version, path, name, size: Number(size) },
    move_key: createHash('sha256').update(`${dev}-${ino}-${version}`).digest('base64url'),
    created_at: new Date(Number(facts.birthtimeMs)),
    changed_at: new Date(Number(facts.mtimeMs)),
  }
}

async function openFile(root: string, id: string, maxBytes: number): Promise<Readable> {
  if (id.includes(REPLACED) && (await isMissing(join(root, id))))
    throw new ItemRefused('unreadable', 'Its name is not valid UTF-8.')
  const place = await placeOf(root, id)
  // The last part may have become a link since, or a pipe, which would never open without a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(place, flags).catch((error) => {
    const isGone = error.code === 'ENOENT'
    throw new ItemRefused(isGone ? 'not_found' : 'refused', 'The file cannot be opened.')
  })
  const facts = await file.stat()
  if (facts.isFile() && facts.size <= maxBytes) return file.createReadStream()
  await file.close()
  throw new ItemRefused(facts.isFile() ? 'too_large' : 'refused', 'It is not a file of an allowed size.')
}

/** Tells whether a path is a folder or below it. Both are absolute and normalized. */
function isWithin(path: string, below: string, separator: string): boolean {
  const start = below.endsWith(separator) ? below : below + separator
  return path === below || path.startsWith(start)
}
