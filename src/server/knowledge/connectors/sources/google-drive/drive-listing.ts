import * as z from 'zod'
import type { Selection, SourceFolder } from '#shared/knowledge/connectors/sources.ts'
import { ItemRefused, type ListedPage, type SourceItem } from '../../define-connector.ts'
import { repeatedList } from '../../requests/guard-cursors.ts'
import { isSelected, mayContain } from '../../selected.ts'
import { startOfChanges } from './drive-changes.ts'
import { DriveFile, FOLDER, fieldsOf, isFolder, isShortcut, itemOf, nameOf, partOf } from './drive-files.ts'
import { type Drive, whileListing } from './drive-requests.ts'
import { Place, rootsOf } from './drive-roots.ts'

const MAX_FOLDERS = 500
/** Files of a page. Permissions in shared drives are a request for each file. */
const [PAGE, PAGE_WITH_READERS] = [1000, 100]
/** Deepest folder that is listed. */
const MAX_DEPTH = 50
const CONCURRENT = 4
/** Pages of one folder. A source whose cursors have no end stops there. */
const MAX_PAGES = 20_000

const Files = z.object({ files: z.array(DriveFile).default([]), nextPageToken: z.string().optional() })

/** The folders that are still to be listed, and the token of changes since the listing began. */
const Cursor = z.object({ changes: z.string(), stack: z.array(Place) })

/** Lists folder after folder, page by page. */
export async function* listPages(
  drive: Drive,
  selection: Selection,
  cursor: string | null,
): AsyncGenerator<ListedPage> {
  const { changes, stack } =
    cursor === null ? await begin(drive, selection) : Cursor.parse(JSON.parse(cursor))
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const at = place
    const { files, nextPageToken } = await whileListing(() => listFolder(drive, at))
    if (nextPageToken) stack.push(pageBehind(drive, at, nextPageToken))
    for (const file of files.filter(isFolder)) {
      const path = `${at.path}/${partOf(file.name)}`
      if (path.split('/').length <= MAX_DEPTH && mayContain(selection, path))
        stack.push({ id: file.id, path, drive: at.drive, pages: 0 })
    }
    const isWanted = (file: DriveFile) =>
      !isFolder(file) && !isShortcut(file) && isSelected(selection, `${at.path}/${nameOf(file)}`)
    const items = await toItems(drive, files.filter(isWanted), at.path)
    const next = stack.length > 0 ? JSON.stringify({ changes, stack }) : null
    yield { items, cursor: next, ...(next === null && { changes }) }
  }
}

/** @throws AppError `unavailable` for a page that repeats, or one too many */
function pageBehind({ host }: Drive, at: Place, page: string): Place {
  if (page === at.page || at.pages >= MAX_PAGES) throw repeatedList(host)
  return { ...at, page, pages: at.pages + 1 }
}

async function begin(drive: Drive, selection: Selection): Promise<z.infer<typeof Cursor>> {
  const changes = await startOfChanges(drive)
  const roots = await rootsOf(drive)
  const stack = roots.filter(({ path }) => mayContain(selection, path)).reverse()
  return { changes, stack }
}

async function toItems(drive: Drive, files: DriveFile[], folder: string): Promise<SourceItem[]> {
  const items: SourceItem[] = []
  for (let at = 0; at < files.length; at += CONCURRENT)
    items.push(
      ...(await Promise.all(files.slice(at, at + CONCURRENT).map((file) => itemOf(drive, file, folder)))),
    )
  return items
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function listFolder(
  drive: Drive,
  { id, drive: driveId, page }: Place,
  only = '',
): Promise<z.infer<typeof Files>> {
  const where: Record<string, string> = driveId
    ? { corpora: 'drive', driveId, includeItemsFromAllDrives: 'true' }
    : { corpora: 'user' }
  return drive.ask(
    '/files',
    {
      ...{ ...where, supportsAllDrives: 'true', ...(page && { pageToken: page }) },
      q: `${quoted(id)} in parents and trashed = false${only}`,
      pageSize: String(drive.context.mirrors ? PAGE_WITH_READERS : PAGE),
      fields: `nextPageToken,files(${fieldsOf(drive)})`,
    },
    Files,
  )
}

/** Returns the folders directly in a folder, by name. @throws ItemRefused for a folder that does not exist */
export async function browseFolders(
  drive: Drive,
  path: string,
): Promise<{ items: SourceFolder[]; has_more: boolean }> {
  let places = await rootsOf(drive)
  let hasMore = false
  const parts = path === '' ? [] : path.split('/')
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const wanted = parts.slice(0, depth).join('/')
    const parent = places.find((one) => one.path === wanted)
    if (!parent) throw new ItemRefused('not_found', `${drive.host} does not have this folder.`)
    const { files, nextPageToken } = await listFolder(drive, parent, ` and mimeType = ${quoted(FOLDER)}`)
    hasMore = nextPageToken !== undefined
    places = files.map(({ id, name }) => ({
      ...{ id, drive: parent.drive, path: `${wanted}/${partOf(name)}`, pages: 0 },
    }))
  }
  const sorted = [...new Map(places.map((one) => [one.path, one])).keys()].sort()
  const items = sorted.map((one) => ({ path: one, name: one.split('/').at(-1) ?? one, has_folders: true }))
  return { items: items.slice(0, MAX_FOLDERS), has_more: hasMore || items.length > MAX_FOLDERS }
}
