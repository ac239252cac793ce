import * as z from 'zod'
import type { Selection } from '#shared/knowledge/connectors/sources.ts'
import { type ChangedPage, CursorExpired, type ListedPage, type SourceItem } from '../../define-connector.ts'
import { repeatedList } from '../../requests/guard-cursors.ts'
import { isSelected, mayContain } from '../../selected.ts'
import { type Library, librariesOf, partOf } from './graph-drives.ts'
import { createPaths, GraphItem, ITEM_FIELDS, idOf, itemOf, type Paths } from './graph-items.ts'
import { type Graph, whileListing } from './graph-requests.ts'

/** Items of a page. Permissions are a request for each item. */
const [PAGE, PAGE_WITH_READERS] = [500, 50]
const CONCURRENT = 4
/** Pages of one library. A source whose links have no end stops there. */
const MAX_PAGES = 100_000

/** The libraries with the link to their next page, and the one that is read now. */
const Cursor = z.object({
  /** Folders that were created later are known by their changes only. */
  since: z.string(),
  /** Beginning of this reading of the changes; null before it. */
  began: z.string().nullable(),
  at: z.int(),
  /** Pages of the library that are read. */
  pages: z.int().default(0),
  libraries: z.array(z.object({ id: z.string(), path: z.string(), link: z.string().nullable() })),
})
type Cursor = z.infer<typeof Cursor>

const Delta = z.object({
  value: z.array(GraphItem),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
})
type Delta = z.infer<typeof Delta>

/** Lists the libraries one after the other. The last page has the links to later changes. */
export async function* listPages(
  graph: Graph,
  selection: Selection,
  given: string | null,
): AsyncGenerator<ListedPage> {
  let cursor = given === null ? await begin(graph, selection) : Cursor.parse(JSON.parse(given))
  const paths = createPaths(graph)
  for (;;) {
    const library = cursor.libraries[cursor.at]
    if (!library) return
    const page = await askForDelta(graph, library)
    const { items } = await sort(graph, paths, { selection, library, page })
    cursor = follow(graph, cursor, page)
    const isLast = cursor.at === cursor.libraries.length
    const changes = JSON.stringify({ ...cursor, at: 0 })
    yield {
      items,
      cursor: isLast ? null : JSON.stringify(cursor),
      ...(isLast && !graph.context.mirrors && { changes }),
    }
  }
}

async function begin(graph: Graph, selection: Selection): Promise<Cursor> {
  const since = new Date().toISOString()
  const libraries = await whileListing(() => librariesOf(graph))
  const wanted = libraries.filter(({ path }) => mayContain(selection, path))
  return { since, began: null, at: 0, pages: 0, libraries: wanted.map((one) => ({ ...one, link: null })) }
}

/**
 * Reads a page of the changes of one library. Graph reports a folder that was renamed or moved, but not the items in it, so such a folder,
 * like a library that came or went, makes everything be listed again.
 */
export async function readChanges(graph: Graph, selection: Selection, given: string): Promise<ChangedPage> {
  const { data: token } = Cursor.safeParse(JSON.parse(given))
  // Written by another version.
  if (!token) throw new CursorExpired()
  const began = token.began ?? new Date().toISOString()
  if (token.began === null) await assertSameLibraries(graph, selection, token)
  const library = token.libraries[token.at]
  if (!library) throw new CursorExpired()
  const page = await askForDelta(graph, library, { deltaExcludeParent: 'true' })
  for (const item of page.value) if (isOldFolder(item, token.since)) throw new CursorExpired()
  const found = await sort(graph, createPaths(graph), { selection, library, page })
  const next = follow(graph, { ...token, began }, page)
  const isDone = next.at === next.libraries.length
  const after: Cursor = isDone ? { ...next, since: began, began: null, at: 0 } : next
  return { ...found, token: JSON.stringify(after), hasMore: !isDone }
}

const isOldFolder = ({ folder, root, createdDateTime = '' }: GraphItem, since: string) =>
  folder !== undefined && root === undefined && Date.parse(createdDateTime || '0') < Date.parse(since)

async function assertSameLibraries(graph: Graph, selection: Selection, { libraries }: Cursor): Promise<void> {
  const { libraries: now } = await begin(graph, selection)
  const mark = (all: readonly Library[]) => JSON.stringify(all.map(({ id, path }) => [id, path]))
  if (mark(now) !== mark(libraries)) throw new CursorExpired()
}

function askForDelta(
  graph: Graph,
  { id, link }: Cursor['libraries'][number],
  headers: Record<string, string> = {},
): Promise<Delta> {
  const top = graph.context.mirrors ? PAGE_WITH_READERS : PAGE
  const first = `/drives/${encodeURIComponent(id)}/root/delta?$top=${top}&$select=${ITEM_FIELDS}`
  return whileListing(() => graph.ask(link ?? first, Delta, headers))
}

/**
 * Returns the cursor behind a page: the next page of the library, or the next library.
 * @throws AppError `unavailable` for a page that repeats, or one too many
 */
function follow({ host }: Graph, cursor: Cursor, page: Delta): Cursor {
  const nextLink = page['@odata.nextLink']
  const link = nextLink ?? page['@odata.deltaLink']
  if (link === undefined) throw new CursorExpired()
  const isRepeated = nextLink !== undefined && nextLink === cursor.libraries[cursor.at]?.link
  if (isRepeated || cursor.pages >= MAX_PAGES) throw repeatedList(host)
  const libraries = cursor.libraries.map((one, at) => (at === cursor.at ? { ...one, link } : one))
  const place = nextLink === undefined ? { at: cursor.at + 1, pages: 0 } : { pages: cursor.pages + 1 }
  return { ...cursor, libraries, ...place }
}

type Sorting = { selection: Selection; library: Library; page: Delta }

/** Returns the selected files of a page, and the ids of those that are deleted or not selected. */
async function sort(
  graph: Graph,
  paths: Paths,
  { selection, library, page: { value } }: Sorting,
): Promise<Pick<ChangedPage, 'items' | 'removed'>> {
  // An item that occurs twice counts as it is listed last.
  const all = [...new Map(value.map((item) => [item.id, item])).values()]
  for (const item of all) if (item.folder || item.root) paths.learn(library, item)
  const items: SourceItem[] = []
  const removed: string[] = []
  const settle = async (item: GraphItem) => {
    const folder = item.file && !item.deleted ? await paths.parentOf(library, item) : null
    const path = `${folder}/${partOf(item.name)}`
    if (folder !== null && isSelected(selection, path)) items.push(await itemOf(graph, library, item, path))
    else if (!item.folder && !item.root) removed.push(idOf(library, item))
  }
  for (let at = 0; at < all.length; at += CONCURRENT)
    await Promise.all(all.slice(at, at + CONCURRENT).map(settle))
  return { items, removed }
}
