import type { SourceField } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { isCleanLabel } from '#shared/platform/labels.ts'
import {
  CursorExpired,
  defineConnector,
  ItemRefused,
  type ListedPage,
  type OpenedSource,
  type SourceContext,
  type SourceItem,
} from '../../define-connector.ts'
import { giveTurns } from '../../give-turns.ts'
import { keepSelected, mayContain } from '../../selected.ts'
import {
  assertAnswered,
  bodyOf,
  type Element,
  elementsOf,
  parseElements,
  textOf,
} from '../../source-requests.ts'

const MAX_FOLDERS = 500
/** Begins the id of a file that has a number. */
const NUMBERED = 'id:'
/** Deepest folder that is listed. Folders of a server may contain each other. */
const MAX_DEPTH = 50
const MAX_LISTING_BYTES = 50_000_000
const SECONDS = 60

const query = `<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop>
<d:resourcetype/><d:getetag/><d:getlastmodified/><d:creationdate/><d:getcontentlength/>
<oc:fileid/><oc:owner-display-name/></d:prop></d:propfind>`

const fields: SourceField[] = [
  { name: 'address', type: 'address', required: true },
  { name: 'username', type: 'text', required: false },
  { name: 'password', type: 'secret', required: false },
]

/** Files of a WebDAV server such as Nextcloud. */
export default defineConnector({
  id: 'webdav',
  place: 2,
  fields,
  picks: [{ id: 'webdav', fields, picksThere: false }],
  mirrorsRights: false,
  personal: true,
  hasFolders: true,
  isOffered: () => true,
  hostOf: ({ address = '' }) => (URL.canParse(address) ? new URL(address).host : null),
  open: async (context): Promise<OpenedSource> => {
    const server = serverOf(context)
    return {
      check: async () => void (await listFolder(server, '')),
      folders: async (path) => {
        const entries = await listFolder(server, path)
        const folders = entries.filter(({ isFolder }) => isFolder)
        const items = folders.map(({ name, path: own }) => ({ name, path: own, has_folders: true }))
        return { items: items.slice(0, MAX_FOLDERS), has_more: items.length > MAX_FOLDERS }
      },
      entries: async (path) => {
        const entries = (await listFolder(server, path)).map(({ name, path: own, isFolder, item }) => ({
          ...{ id: item.id, path: own, name, size: isFolder ? null : item.size, is_folder: isFolder },
        }))
        const items = entries.sort((a, b) => Number(b.is_folder) - Number(a.is_folder))
        return { items: items.slice(0, MAX_FOLDERS), has_more: items.length > MAX_FOLDERS }
      },
      item: async ({ id, path }) => {
        const entries = await listFolder(server, parentOf(path))
        const found = entries.find(({ item, isFolder }) => item.id === id && !isFolder)
        if (!found) throw new ItemRefused('not_found', `${server.host} does not have it.`)
        return found.item
      },
      list: (selection, cursor) => listPages(server, selection, cursor),
      read: async ({ id, path }, signal) => {
        const url = urlOf(server, id.startsWith(NUMBERED) ? path : id)
        const { outbound, config, maxBytes } = context
        const trusted = config.ATRIUM_TOOLS_PRIVATE
        const answer = await outbound.open(url, {
          headers: server.headers,
          trusted,
          maxBytes,
          signal,
          seconds: SECONDS,
        })
        if (!answer.ok) await answer.body?.cancel()
        assertAnswered(server.host, answer)
        return bodyOf(answer, server.host)
      },
    }
  },
})

type Server = { context: SourceContext; root: URL; host: string; headers: Record<string, string> }

function serverOf(context: SourceContext): Server {
  const { address = '', username, password = '' } = context.settings
  if (!URL.canParse(address)) throw new AppError('invalid', 'The address is not valid.')
  const root = new URL(address)
  if (!root.pathname.endsWith('/')) root.pathname += '/'
  const sign = Buffer.from(`${username}:${password}`).toString('base64')
  return { context, root, host: root.host, headers: username ? { authorization: `Basic ${sign}` } : {} }
}

/** A path that begins with slashes must not become the address of another host. */
const urlOf = ({ root }: Server, path: string) =>
  root.href + path.split('/').map(encodeURIComponent).join('/')

type Entry = { path: string; name: string; isFolder: boolean; item: SourceItem }

/** Lists the entries directly in a folder, by name. */
async function listFolder(server: Server, path: string): Promise<Entry[]> {
  const { context, host, headers, root } = server
  const url = urlOf(server, path)
  const answer = await context.outbound.fetch(url.endsWith('/') ? url : `${url}/`, {
    ...{ method: 'PROPFIND', body: query, maxBytes: MAX_LISTING_BYTES, seconds: SECONDS, maxRedirects: 0 },
    headers: { ...headers, depth: '1', 'content-type': 'application/xml' },
    ...{ trusted: context.config.ATRIUM_TOOLS_PRIVATE, signal: context.signal },
  })
  // A folder that is gone must not look empty: its items would disappear one by one.
  try {
    assertAnswered(host, answer)
  } catch (error) {
    if (!(error instanceof ItemRefused)) throw error
    // It was listed before, so the folder above it has changed.
    if (path !== '' && error.reason === 'not_found') throw new CursorExpired(error.message)
    throw new AppError('unavailable', error.message)
  }
  if (answer.status !== 207) throw new AppError('unavailable', `${host} does not answer as a WebDAV server.`)
  const entries: Entry[] = []
  const turn = giveTurns()
  const list = (await parseElements(answer.text(), host)).children[0]
  if (list?.name !== 'multistatus')
    throw new AppError('unavailable', `${host} does not answer as a WebDAV server.`)
  for (const response of elementsOf(list, 'response')) {
    const entry = entryOf(response, root)
    if (entry && entry.path !== path && parentOf(entry.path) === path) entries.push(entry)
    await turn()
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const parentOf = (path: string) => path.split('/').slice(0, -1).join('/')

/** Returns null for an entry outside of the root. */
function entryOf(response: Element, root: URL): Entry | null {
  const href = textOf(response, 'href')
  if (!URL.canParse(href, root.href)) return null
  const url = new URL(href, root)
  if (url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return null
  const path = decode(url.pathname.slice(root.pathname.length).replace(/\/$/, ''))
  if (path === null || path.split('/').includes('..')) return null
  const isFolder = elementsOf(response, 'collection').length > 0
  const name = path.split('/').at(-1) ?? ''
  return { path, name, isFolder, item: itemOf(response, { path, name, url }) }
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

function itemOf(
  response: Element,
  { path, name, url }: { path: string; name: string; url: URL },
): SourceItem {
  const [length, etag] = [textOf(response, 'getcontentlength'), textOf(response, 'getetag')]
  const [fileId, changed] = [textOf(response, 'fileid'), textOf(response, 'getlastmodified')]
  const [created, owner] = [textOf(response, 'creationdate'), textOf(response, 'owner-display-name')]
  const date = (text: string) => (Number.isNaN(Date.parse(text)) ? null : new Date(text))
  const [createdAt, changedAt] = [date(created), date(changed)]
  // Nextcloud names a file by a number that stays when it is moved. A path is stored without invisible characters, with which it is read.
  const isNumbered = fileId !== '' && isCleanLabel(path)
  return {
    ...{ id: isNumbered ? NUMBERED + fileId : path, path, name },
    // Without both it is read with every sync; equal content is stored once.
    version: etag || (changed ? `${changed} ${length}` : new Date().toISOString()),
    size: /^\d+$/.test(length) ? Number(length) : null,
    url: fileId ? new URL(`/index.php/f/${fileId}`, url).href : url.href,
    ...(owner && { owner }),
    ...(createdAt && { created_at: createdAt }),
    ...(changedAt && { changed_at: changedAt }),
    ...(!isNumbered && etag && length && { move_key: `${etag} ${length}` }),
  }
}

/** Lists folder after folder. The cursor is the stack of folders that are still to be listed. */
async function* listPages(
  server: Server,
  selection: Parameters<OpenedSource['list']>[0],
  cursor: string | null,
): AsyncGenerator<ListedPage> {
  const stack: string[] = cursor === null ? [''] : JSON.parse(cursor)
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    const entries = await listFolder(server, folder)
    const folders = entries.filter(
      ({ isFolder, path }) => isFolder && path.split('/').length <= MAX_DEPTH && mayContain(selection, path),
    )
    stack.push(...folders.map(({ path }) => path).reverse())
    const all = entries.filter(({ isFolder }) => !isFolder)
    const files = await keepSelected(selection, all, ({ path }) => path)
    yield { items: files.map(({ item }) => item), cursor: stack.length > 0 ? JSON.stringify(stack) : null }
  }
}
