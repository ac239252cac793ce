import { Readable } from 'node:stream'
import * as z from 'zod'
import type { Selection } from '#shared/knowledge/connectors/sources.ts'
import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'
import {
  CursorExpired,
  defineConnector,
  ItemRefused,
  type ListedPage,
  type OpenedSource,
  type SourceItem,
} from '../../define-connector.ts'
import { keepSelected } from '../../selected.ts'
import { webAddressOf } from './file-address.ts'
import { discover, remoteOf } from './remote.ts'
import { foldersIn, type GitFile, indexBehind, keepRepository, type Repository } from './repository.ts'

const PAGE = 1000
/** Largest file of Git LFS that stands for a stored one, and how it begins. */
const [MAX_POINTER_BYTES, POINTER] = [1024, 'version https://git-lfs.github.com/spec/']

/** Files of a branch of a Git repository, read over HTTP. */
export default defineConnector({
  id: 'git',
  place: 11,
  fields: [
    { name: 'address', type: 'address', required: true },
    { name: 'branch', type: 'text', required: false },
    { name: 'username', type: 'text', required: false },
    { name: 'token', type: 'secret', required: false },
  ],
  mirrorsRights: false,
  personal: true,
  hasFolders: true,
  isOffered: () => true,
  hostOf: ({ address = '' }) => (URL.canParse(address) ? new URL(address).host : null),
  open: async (context): Promise<OpenedSource> => {
    const remote = remoteOf(context)
    const keeping = keepRepository(remote)
    return {
      check: async () => void (await discover(remote)),
      folders: async (path) => foldersIn(await keeping.repository(), path),
      list: async function* (selection, cursor) {
        yield* listPages(await keeping.repository(), selection, cursor)
      },
      // An unchanged branch is not fetched.
      changes: async (_, token) => {
        if ((await keeping.commit()) !== token) throw new CursorExpired()
        return { items: [], removed: [], token, hasMore: false }
      },
      read: async ({ id }) => Readable.from([await readFile(await keeping.repository(), id)]),
      close: keeping.close,
    }
  },
})

/** `commit` is that of the first page. */
const Place = z.object({ commit: z.string(), path: z.string() })

/** @throws CursorExpired for a cursor of another version */
function placeOf(cursor: string): z.infer<typeof Place> {
  const { data } = Place.safeParse(tryJson(cursor))
  if (!data) throw new CursorExpired()
  return data
}

/**
 * Lists files by path. The branch may move between two pages: then the listing ends with the commit that it began with, and the next sync
 * lists everything again.
 */
async function* listPages(
  repository: Repository,
  selection: Selection,
  cursor: string | null,
): AsyncGenerator<ListedPage> {
  const { files } = repository
  const place = cursor === null ? null : placeOf(cursor)
  const commit = place?.commit ?? repository.commit
  for (let at = indexBehind(files, place?.path ?? null); ; at += PAGE) {
    const page = files.slice(at, at + PAGE)
    const chosen = await keepSelected(selection, page, ({ path }) => path)
    const items = chosen.map((file) => itemOf(repository, file))
    const path = at + PAGE < files.length ? page.at(-1)?.path : undefined
    if (path === undefined) return void (yield { items, cursor: null, changes: commit })
    yield { items, cursor: JSON.stringify({ commit, path }) }
  }
}

function itemOf({ pack, remote, branch }: Repository, { path, oid }: GitFile): SourceItem {
  const url = webAddressOf(remote.url, branch, path)
  return {
    ...{ id: path, path, name: path.slice(path.lastIndexOf('/') + 1) },
    ...{ version: oid, move_key: oid, size: pack.sizeOf(oid) },
    ...(url && { url }),
  }
}

async function readFile({ pack, byPath }: Repository, path: string): Promise<Buffer> {
  const file = byPath.get(path)
  if (!file) throw new ItemRefused('not_found', 'The branch no longer has this file.')
  const found = await pack.read(file.oid)
  if (!found) throw new ItemRefused('too_large', 'The file is too large.')
  const { bytes } = found
  if (bytes.length <= MAX_POINTER_BYTES && bytes.toString('latin1').startsWith(POINTER))
    throw new ItemRefused('refused', 'Its content is in Git LFS, which is not read.')
  return bytes
}
