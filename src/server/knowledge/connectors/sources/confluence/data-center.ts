import * as z from 'zod'
import { ItemRefused, type SourceContext, type SourceItem } from '../../define-connector.ts'
import { dateOf, nameOf } from '../../requests/item-names.ts'
import {
  type JsonRequests,
  linkTo,
  part,
  readableOf,
  requestsTo,
  signIn,
} from '../../requests/json-requests.ts'
import { openNumbered } from '../../requests/numbered-list.ts'
import { pageHtml } from '../../requests/page-html.ts'
import { assertSignedIn, idOf, partsOfId, type Space, type Wiki, type WikiPage } from './wiki.ts'

const PAGE = 100
const MAX_SPACE_PAGES = 500
/** Pages of attachments of one page. */
const MAX_ATTACHMENT_PAGES = 100
const expand = [
  ...['ancestors', 'version', 'history', 'metadata.labels'],
  ...['children.attachment', 'children.attachment.version'],
].join(',')

const Links = z.optional(
  z.object({
    next: z.optional(z.string()),
    webui: z.optional(z.string()),
    download: z.optional(z.string()),
  }),
)
const Version = z.object({ number: z.int(), when: z.nullish(z.string()) })
const Attachment = z.object({
  id: z.string(),
  title: z.string(),
  version: Version,
  extensions: z.nullish(z.object({ fileSize: z.nullish(z.number()) })),
  _links: Links,
})
type Attachment = z.infer<typeof Attachment>
const Attachments = z.object({ results: z.array(Attachment), _links: Links })
const Content = z.object({
  id: z.string(),
  title: z.string(),
  version: Version,
  ancestors: z.nullish(z.array(z.object({ title: z.nullish(z.string()) }))),
  history: z.nullish(
    z.object({
      createdDate: z.nullish(z.string()),
      createdBy: z.nullish(z.object({ displayName: z.nullish(z.string()) })),
    }),
  ),
  metadata: z.nullish(
    z.object({ labels: z.nullish(z.object({ results: z.array(z.object({ name: z.string() })) })) }),
  ),
  children: z.nullish(z.object({ attachment: z.nullish(Attachments) })),
  _links: Links,
})
type Content = z.infer<typeof Content>
const Contents = z.object({ results: z.array(Content), _links: Links })
const Spaces = z.object({
  results: z.array(z.object({ id: z.union([z.int(), z.string()]), key: z.string(), name: z.string() })),
  _links: Links,
})
const Body = z.object({
  title: z.string(),
  body: z.object({ export_view: z.object({ value: z.string() }) }),
})
const File = z.object({ _links: z.object({ download: z.string() }) })
/** Opens Confluence Data Center. With an e-mail or user name the token is a password. */
export function openDataCenter(context: SourceContext): Wiki {
  const { address = '', email, token } = context.settings
  const requests = requestsTo(context, address, signIn(email, token))
  return {
    host: requests.host,
    check: () => assertSignedIn(requests),
    spaces: () => listSpaces(requests),
    content: (wish) => listContent(requests, wish),
    read: async (itemId, signal) => {
      const { kind, id } = partsOfId(itemId)
      const path = `rest/api/content/${part(id)}`
      if (kind === 'attachment') {
        const { _links } = await requests.ask(path, File, { signal })
        return requests.download(_links.download, signal)
      }
      const query = { expand: 'body.export_view' }
      const { title, body } = await requests.ask(path, Body, { query, signal })
      return readableOf(pageHtml({ title, body: body.export_view.value }))
    },
  }
}

async function listSpaces(requests: JsonRequests): Promise<Space[]> {
  const found = new Map<string, Space>()
  for (let pages = 0; pages < MAX_SPACE_PAGES; pages += 1) {
    const query = { start: pages * PAGE, limit: PAGE, status: 'current' }
    const { results, _links } = await requests.ask('rest/api/space', Spaces, { query, isFurther: pages > 0 })
    for (const { id, key, name } of results) found.set(key, { id: String(id), key, name })
    if (!_links?.next || results.length === 0) return [...found.values()]
  }
  throw new ItemRefused('refused', `${requests.host} has more spaces than can be listed.`)
}

async function listContent(
  requests: JsonRequests,
  {
    space,
    kind,
    next,
    mayRestart,
  }: { space: Space; kind: 'page' | 'blogpost'; next: string | null; mayRestart: boolean },
): Promise<WikiPage> {
  const list = openNumbered(next)
  const query = { spaceKey: space.key, type: kind, status: 'current', expand, start: list.start, limit: PAGE }
  const { results, _links } = await requests.ask('rest/api/content', Contents, { query })
  const page = list.accept(requests.host, results, { hasMore: !!_links?.next, mayRestart })
  const items: SourceItem[] = []
  for (const one of page.fresh) {
    const ancestors = kind === 'page' ? (one.ancestors ?? []).map(({ title }) => nameOf(title)) : ['Blog']
    const folder = [space.name, ...ancestors].join('/')
    items.push(itemOf(requests, kind, one, folder))
    for (const file of await attachmentsOf(requests, one))
      items.push(fileOf(requests, file, `${folder}/${nameOf(one.title)}`))
  }
  return { items, next: page.next }
}

/** Returns the attachments of a page. The first ones come with the page. */
async function attachmentsOf(requests: JsonRequests, { id, children }: Content): Promise<Attachment[]> {
  const found = [...(children?.attachment?.results ?? [])]
  let hasMore = !!children?.attachment?._links?.next
  for (let pages = 0; hasMore && pages < MAX_ATTACHMENT_PAGES; pages += 1) {
    const query = { start: found.length, limit: PAGE, expand: 'version' }
    const path = `rest/api/content/${part(id)}/child/attachment`
    const { results, _links } = await requests.ask(path, Attachments, { query, isFurther: true })
    found.push(...results)
    hasMore = !!_links?.next && results.length > 0
  }
  return found
}

function itemOf(requests: JsonRequests, kind: 'page' | 'blogpost', one: Content, folder: string): SourceItem {
  const name = `${nameOf(one.title)}.html`
  const { createdDate, createdBy } = one.history ?? {}
  const [created, changed] = [dateOf(createdDate), dateOf(one.version.when)]
  return {
    ...{ id: idOf(kind, one.id), version: String(one.version.number), name, path: `${folder}/${name}` },
    ...{ size: null, labels: one.metadata?.labels?.results.map((label) => label.name) ?? [] },
    ...linkTo(requests, one._links?.webui),
    ...(createdBy?.displayName && { owner: createdBy.displayName }),
    ...(created && { created_at: created }),
    ...(changed && { changed_at: changed }),
  }
}

function fileOf(requests: JsonRequests, file: Attachment, folder: string): SourceItem {
  const name = nameOf(file.title)
  const changed = dateOf(file.version.when)
  return {
    ...{ id: idOf('attachment', file.id), version: String(file.version.number), name },
    ...{ path: `${folder}/${name}`, size: file.extensions?.fileSize ?? null },
    ...linkTo(requests, file._links?.webui),
    ...(changed && { changed_at: changed }),
  }
}
