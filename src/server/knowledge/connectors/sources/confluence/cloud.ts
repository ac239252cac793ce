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
import { pageHtml } from '../../requests/page-html.ts'
import { openParents, type Parents } from './parents.ts'
import { assertSignedIn, idOf, partsOfId, type Space, type Wiki, type WikiPage } from './wiki.ts'

const PAGE = 250
/** Pages of spaces; a site with more is not listed completely and reports it. */
const MAX_SPACE_PAGES = 200
/** Ids in one request for labels or names. */
const BATCH = 100

const Links = z.optional(z.object({ next: z.optional(z.string()), webui: z.optional(z.string()) }))
const Version = z.object({ number: z.int(), createdAt: z.optional(z.string()) })
const Listed = z.object({
  id: z.string(),
  title: z.string(),
  parentId: z.nullish(z.string()),
  parentType: z.nullish(z.string()),
  ownerId: z.nullish(z.string()),
  authorId: z.nullish(z.string()),
  createdAt: z.nullish(z.string()),
  version: Version,
  _links: Links,
})
type Listed = z.infer<typeof Listed>
const Attachment = z.object({
  id: z.string(),
  title: z.string(),
  pageId: z.nullish(z.string()),
  blogPostId: z.nullish(z.string()),
  fileSize: z.nullish(z.number()),
  createdAt: z.nullish(z.string()),
  webuiLink: z.nullish(z.string()),
  version: Version,
})
const listOf = <T extends z.ZodType>(one: T) => z.object({ results: z.array(one), _links: Links })
const Spaces = listOf(z.object({ id: z.string(), key: z.string(), name: z.string() }))
const Contents = listOf(Listed)
const Attachments = listOf(Attachment)
const Body = z.object({
  title: z.string(),
  body: z.object({ export_view: z.object({ value: z.string() }) }),
})
const File = z.object({ downloadLink: z.string() })
const Labels = listOf(
  z.object({
    id: z.string(),
    metadata: z.object({ labels: z.object({ results: z.array(z.object({ name: z.string() })) }) }),
  }),
)
const Names = z.object({
  results: z.array(z.object({ accountId: z.string(), displayName: z.nullish(z.string()) })),
})

type Cloud = { requests: JsonRequests; names: Map<string, string>; parents: Parents }

/** Opens a site of Confluence Cloud, for its address with or without `/wiki`. */
export function openCloud(context: SourceContext): Wiki {
  const { address = '', email, token } = context.settings
  const root = URL.canParse(address) ? new URL('/wiki/', address).href : address
  const requests = requestsTo(context, root, signIn(email, token))
  const cloud: Cloud = { requests, names: new Map(), parents: openParents(requests) }
  return {
    host: requests.host,
    check: () => assertSignedIn(requests),
    spaces: () => listSpaces(cloud),
    content: (wish) => listContent(cloud, wish),
    attachments: (folders, next) => listAttachments(cloud, folders, next),
    read: async (itemId, signal) => {
      const { kind, id } = partsOfId(itemId)
      if (kind === 'attachment') {
        const file = await requests.ask(`api/v2/attachments/${part(id)}`, File, { signal })
        return requests.download(belowWiki(file.downloadLink) ?? '', signal)
      }
      const path = kind === 'page' ? 'pages' : 'blogposts'
      const query = { 'body-format': 'export_view' }
      const { title, body } = await requests.ask(`api/v2/${path}/${part(id)}`, Body, { query, signal })
      return readableOf(pageHtml({ title, body: body.export_view.value }))
    },
  }
}

/** Returns the cursor of a link. The address of the link is not used. */
function cursorOf(links: z.infer<typeof Links>): string | null {
  const url = links?.next ? URL.parse(links.next, 'https://cursor.invalid/') : null
  return url?.searchParams.get('cursor') ?? null
}

async function listSpaces({ requests }: Cloud): Promise<Space[]> {
  const found: Space[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_SPACE_PAGES; pages += 1) {
    const query = { limit: PAGE, status: 'current', cursor }
    const { results, _links } = await requests.ask('api/v2/spaces', Spaces, { query, isFurther: pages > 0 })
    found.push(...results)
    const next = cursorOf(_links)
    if (next === null || next === cursor) return found
    cursor = next
  }
  throw new ItemRefused('refused', `${requests.host} has more spaces than can be listed.`)
}

async function listContent(
  cloud: Cloud,
  { space, kind, next }: { space: Space; kind: 'page' | 'blogpost'; next: string | null },
): Promise<WikiPage> {
  const { requests, parents } = cloud
  const path = `api/v2/spaces/${part(space.id)}/${kind === 'page' ? 'pages' : 'blogposts'}`
  const query = {
    ...{ limit: PAGE, status: 'current', sort: 'id', cursor: next ?? undefined },
    ...(kind === 'page' && { depth: 'all' }),
  }
  const { results, _links } = await requests.ask(path, Contents, { query })
  for (const one of results) parents.note({ ...one, spaceId: space.id })
  await parents.find(results.map(({ parentId, parentType }) => ({ id: parentId, type: parentType })))
  const labels = await labelsOf(
    cloud,
    results.map(({ id }) => id),
  )
  const owners = await namesOf(
    cloud,
    results.map(({ ownerId, authorId }) => ownerId ?? authorId ?? ''),
  )
  const items = results.map((one) => {
    const folders = kind === 'page' ? parents.pathOf(one.parentId) : ['Blog']
    return itemOf(requests, kind, one, {
      folder: [space.name, ...folders].join('/'),
      owner: owners.get(one.ownerId ?? one.authorId ?? ''),
      labels: labels.get(one.id) ?? [],
    })
  })
  return { items, next: cursorOf(_links) }
}

function itemOf(
  requests: JsonRequests,
  kind: 'page' | 'blogpost',
  one: Listed,
  { folder, owner, labels }: { folder: string; owner: string | undefined; labels: string[] },
): SourceItem {
  const name = `${nameOf(one.title)}.html`
  const [created, changed] = [dateOf(one.createdAt), dateOf(one.version.createdAt)]
  return {
    ...{ id: idOf(kind, one.id), version: String(one.version.number), name, path: `${folder}/${name}` },
    ...{ size: null, labels },
    ...linkTo(requests, belowWiki(one._links?.webui)),
    ...(owner && { owner }),
    ...(created && { created_at: created }),
    ...(changed && { changed_at: changed }),
  }
}

/** Paths of the site are named with and without `/wiki`. */
const belowWiki = (path: string | null | undefined) => path?.replace(/^\/wiki\//, '/')

/** Lists the attachments of the site that are in the given spaces. Version 2 of the interface has no list of one space. */
async function listAttachments(
  { requests, parents }: Cloud,
  folders: ReadonlyMap<string, string>,
  next: string | null,
): Promise<WikiPage> {
  const query = { limit: PAGE, status: 'current', cursor: next ?? undefined }
  const { results, _links } = await requests.ask('api/v2/attachments', Attachments, { query })
  await parents.find(
    results.map(({ pageId, blogPostId }) => ({
      id: pageId ?? blogPostId,
      type: pageId ? 'page' : 'blogpost',
    })),
  )
  const items = results.flatMap((one): SourceItem[] => {
    const container = one.pageId ?? one.blogPostId
    const folder = folders.get(parents.spaceOf(container) ?? '')
    if (folder === undefined) return []
    const name = nameOf(one.title)
    const [created, changed] = [dateOf(one.createdAt), dateOf(one.version.createdAt)]
    const path = [folder, ...(one.pageId ? [] : ['Blog']), ...parents.pathOf(container), name]
    return [
      {
        ...{ id: idOf('attachment', one.id), version: String(one.version.number), name },
        ...{ path: path.join('/'), size: one.fileSize ?? null },
        ...linkTo(requests, belowWiki(one.webuiLink)),
        ...(created && { created_at: created }),
        ...(changed && { changed_at: changed }),
      },
    ]
  })
  return { items, next: cursorOf(_links) }
}

/** Returns the labels of pages by id. Version 2 of the interface has no list of many pages with labels. */
async function labelsOf({ requests }: Cloud, ids: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const safe = ids.filter((id) => /^\d+$/.test(id))
  for (let at = 0; at < safe.length; at += BATCH) {
    const cql = `id in (${safe.slice(at, at + BATCH).join(',')})`
    let cursor: string | null = null
    // A site may answer with fewer than it is asked for.
    for (let pages = 0; pages < BATCH; pages += 1) {
      const query = { cql, expand: 'metadata.labels', limit: BATCH, cursor: cursor ?? undefined }
      const options = { query, isFurther: true }
      const answer: z.infer<typeof Labels> = await requests.ask('rest/api/content/search', Labels, options)
      for (const { id, metadata } of answer.results)
        found.set(
          id,
          metadata.labels.results.map(({ name }) => name),
        )
      const next = cursorOf(answer._links)
      if (next === null || next === cursor) break
      cursor = next
    }
  }
  return found
}

/** Returns the names of accounts. A token that may not read them gives none. */
async function namesOf({ requests, names }: Cloud, ids: readonly string[]): Promise<Map<string, string>> {
  const unknown = [...new Set(ids)].filter((id) => id !== '' && !names.has(id))
  for (let at = 0; at < unknown.length; at += BATCH) {
    const batch = unknown.slice(at, at + BATCH)
    const query = batch.map((id) => `accountId=${encodeURIComponent(id)}`).join('&')
    const found = await askNames(requests, query)
    for (const id of batch) names.set(id, found.get(id) ?? '')
  }
  return names
}

async function askNames(requests: JsonRequests, query: string): Promise<Map<string, string>> {
  try {
    const { results } = await requests.ask(`rest/api/user/bulk?${query}`, Names, { isFurther: true })
    return new Map(results.map(({ accountId, displayName }) => [accountId, displayName ?? '']))
  } catch (error) {
    if (error instanceof ItemRefused) return new Map()
    throw error
  }
}
