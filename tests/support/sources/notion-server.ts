import { type Answered, type Asked, pageOf, type SourceServer, startSourceServer } from './source-server.ts'

type NotionParent = { type: string } & Record<string, string | boolean>
export type NotionPage = {
  id: string
  title: string
  parent: NotionParent
  edited: string
  properties?: Record<string, unknown>
  inTrash?: boolean
  /** Shared with the integration. */
  isShared?: boolean
}

/** A workspace of Notion. Blocks are listed by the page or block that contains them. */
export type NotionServer = SourceServer & {
  pages: Map<string, NotionPage>
  databases: Map<string, { title: string; parent: NotionParent }>
  blocks: Map<string, Record<string, unknown>[]>
  parents: Map<string, NotionParent>
  isSignedIn: boolean
}

export async function startNotionServer(): Promise<NotionServer> {
  const data = {
    ...{ pages: new Map(), databases: new Map(), blocks: new Map(), parents: new Map(), isSignedIn: true },
  }
  const server = await startSourceServer((request) => {
    if (!notion.isSignedIn || request.authorization !== 'Bearer secret') return refused(401, 'unauthorized')
    return answer(notion, request)
  })
  const notion: NotionServer = Object.assign(server, data)
  return notion
}

const refused = (status: number, code: string): Answered => ({
  status,
  json: { object: 'error', status, code },
})
export const rich = (plain_text: string, more = {}) => ({ type: 'text', plain_text, ...more })

function answer(notion: NotionServer, { method, path, query, body }: Asked): Answered {
  const list = (all: readonly unknown[], cursor: string | null | undefined): Answered => {
    const { items, next } = pageOf(notion, all, cursor)
    return { json: { object: 'list', results: items, has_more: next !== null, next_cursor: next } }
  }
  const shared = [...notion.pages.values()].filter(({ isShared }) => isShared !== false)
  if (method === 'POST' && path === '/v1/search') {
    const sorted = shared.sort((a, b) => a.edited.localeCompare(b.edited) || a.id.localeCompare(b.id))
    return list(sorted.map(shown), body.start_cursor)
  }
  if (method !== 'GET') return refused(405, 'validation_error')
  if (path === '/v1/users')
    return list([{ object: 'user', id: 'u1', name: 'Inès Roche' }], query.get('start_cursor'))
  const [, kind, id = '', children] =
    /^\/v1\/(pages|databases|blocks)\/([^/]+)(\/children)?$/.exec(path) ?? []
  const page = shared.find((one) => one.id === id)
  if (kind === 'pages' && page) return { json: shown(page) }
  const database = notion.databases.get(id)
  if (kind === 'databases' && database)
    return { json: { object: 'database', id, title: [rich(database.title)], parent: database.parent } }
  const parent = notion.parents.get(id)
  if (kind === 'blocks' && !children && parent) return { json: { object: 'block', id, parent } }
  if (
    kind === 'blocks' &&
    children &&
    (page || notion.blocks.has(id)) &&
    notion.pages.get(id)?.isShared !== false
  )
    return list(notion.blocks.get(id) ?? [], query.get('start_cursor'))
  return refused(404, 'object_not_found')
}

const shown = ({ id, title, parent, edited, properties, inTrash }: NotionPage) => ({
  ...{ object: 'page', id, parent, last_edited_time: edited, created_time: '2026-10-01T08:00:00.000Z' },
  ...{ created_by: { object: 'user', id: 'u1' }, archived: inTrash ?? false, in_trash: inTrash ?? false },
  url: `https://www.notion.so/${id}`,
  properties: { Name: { type: 'title', title: [rich(title)] }, ...properties },
})
