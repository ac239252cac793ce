import { type Answered, type Asked, pageOf, type SourceServer, startSourceServer } from './source-server.ts'

type Page = {
  id: string
  space: string
  kind: 'page' | 'blogpost'
  title: string
  parent: string | null
  /** A folder above, in place of a page. */
  folder?: string
  html: string
  version: number
  labels: string[]
}
type File = { id: string; page: string; title: string; text: string; version: number }

/** A site of Confluence, as Cloud (below `/wiki`) or as Data Center. */
export type ConfluenceServer = SourceServer & {
  spaces: { id: string; key: string; name: string }[]
  pages: Map<string, Page>
  files: Map<string, File>
  folders: Map<string, string>
  token: string
  /** Address of files to name in place of the real one. */
  fileAddress: string | null
  /** Answers people who are not signed in, with empty lists. */
  isPublic: boolean
}

export async function startConfluenceServer(edition: 'cloud' | 'data-center'): Promise<ConfluenceServer> {
  const data = {
    ...{ spaces: [] as ConfluenceServer['spaces'], pages: new Map<string, Page>() },
    ...{ files: new Map<string, File>(), folders: new Map<string, string>(), token: 'sesame' },
    fileAddress: null as string | null,
    isPublic: false,
  }
  const server = await startSourceServer((request) => {
    const basic = `Basic ${Buffer.from(`ada@example.com:${site.token}`).toString('base64')}`
    const wanted = edition === 'cloud' ? basic : `Bearer ${site.token}`
    // Files of Cloud are on another path that takes no sign-in, as those of its media host.
    if (request.path.startsWith('/media/'))
      return request.authorization ? { status: 400 } : fileOf(site, request.path.slice(7))
    const isSignedIn = request.authorization === wanted
    if (request.path.endsWith('/rest/api/user/current') && (isSignedIn || site.isPublic))
      return { json: { type: isSignedIn ? 'known' : 'anonymous' } }
    if (!isSignedIn && site.isPublic) return { json: { results: [], _links: {} } }
    if (!isSignedIn) return { status: 401, json: { message: 'Unauthorized' } }
    return edition === 'cloud' ? answerCloud(site, request) : answerDataCenter(site, request)
  })
  const site: ConfluenceServer = Object.assign(server, data)
  return site
}

const notFound: Answered = { status: 404, json: {} }
const fileOf = ({ files }: ConfluenceServer, id: string): Answered => {
  const file = files.get(id)
  return file ? { bytes: file.text } : notFound
}
const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id, 'en', { numeric: true })

function answerCloud(site: ConfluenceServer, { path, query }: Asked): Answered {
  const list = <T>(all: readonly T[], show: (one: T) => unknown, size?: number): Answered => {
    const { items, next } = pageOf(size ? { ...site, pageSize: size } : site, all, query.get('cursor'))
    const _links = next === null ? {} : { next: `https://elsewhere.invalid/x?limit=9&cursor=${next}` }
    return { json: { results: items.map(show), _links } }
  }
  if (path === '/wiki/api/v2/spaces') return list(site.spaces, (one) => one)
  const [, spaceId, kind] = /^\/wiki\/api\/v2\/spaces\/(.+)\/(pages|blogposts)$/.exec(path) ?? []
  if (spaceId)
    return list(
      [...site.pages.values()]
        .filter(({ space, kind: one }) => space === spaceId && `${one}s` === kind)
        .sort(byId),
      (page) => cloudPage(site, page),
    )
  if (path === '/wiki/api/v2/pages' || path === '/wiki/api/v2/blogposts') {
    const ids = query.get('id')?.split(',') ?? []
    const found = ids.flatMap((id) => site.pages.get(id) ?? [])
    return {
      json: {
        results: found.filter(({ kind: one }) => path.endsWith(`${one}s`)).map((one) => cloudPage(site, one)),
      },
    }
  }
  if (path === '/wiki/api/v2/attachments')
    return list([...site.files.values()].sort(byId), (file) => cloudFile(site, file))
  const [, what, id = ''] = /^\/wiki\/api\/v2\/(pages|blogposts|attachments|folders)\/(.+)$/.exec(path) ?? []
  if (what === 'folders') {
    const title = site.folders.get(id)
    return title ? { json: { id, title } } : notFound
  }
  if (what === 'attachments') {
    const file = site.files.get(id)
    return file ? { json: cloudFile(site, file) } : notFound
  }
  if (what) {
    const page = site.pages.get(id)
    if (!page || query.get('body-format') !== 'export_view') return notFound
    return { json: { ...cloudPage(site, page), body: { export_view: { value: page.html } } } }
  }
  if (path.startsWith('/wiki/download/')) {
    const fileId = query.get('id') ?? ''
    return {
      status: 302,
      headers: { location: `${site.url.replace('127.0.0.1', 'localhost')}/media/${fileId}` },
    }
  }
  if (path === '/wiki/rest/api/user/bulk')
    return {
      json: {
        results: query.getAll('accountId').map((accountId) => ({ accountId, displayName: 'Inès Roche' })),
      },
    }
  if (path === '/wiki/rest/api/content/search') {
    const ids = /^id in \((.*)\)$/.exec(query.get('cql') ?? '')?.[1]?.split(',') ?? []
    const found = ids.flatMap((one) => site.pages.get(one) ?? [])
    return list(found, ({ id: own, labels }) => ({ id: own, metadata: metadataOf(labels) }), 1)
  }
  return notFound
}

const metadataOf = (labels: readonly string[]) => ({ labels: { results: labels.map((name) => ({ name })) } })

const cloudPage = (_: ConfluenceServer, { id, title, parent, folder, version, space, kind }: Page) => ({
  ...{ id, title, status: 'current', spaceId: space, authorId: 'a1', ownerId: 'a1' },
  ...(kind === 'page' && { parentId: folder ?? parent, parentType: folder ? 'folder' : parent && 'page' }),
  createdAt: '2026-10-01T08:00:00.000Z',
  version: { number: version, createdAt: '2026-11-02T10:00:00.000Z' },
  _links: { webui: `/spaces/${space}/${kind}s/${id}` },
})

const cloudFile = ({ pages, fileAddress }: ConfluenceServer, { id, page, title, text, version }: File) => ({
  ...{ id, title, status: 'current', fileSize: text.length, mediaType: 'text/plain' },
  ...(pages.get(page)?.kind === 'blogpost' ? { blogPostId: page } : { pageId: page }),
  downloadLink: fileAddress ?? `/download/attachments/${page}/file?id=${id}`,
  webuiLink: `/spaces/files/${id}`,
  version: { number: version, createdAt: '2026-11-02T10:00:00.000Z' },
})

function answerDataCenter(site: ConfluenceServer, { path, query }: Asked): Answered {
  const list = <T>(all: readonly T[], show: (one: T) => unknown): Answered => {
    const { items, next } = pageOf(site, all, query.get('start'))
    const _links = next === null ? {} : { next: `${path}?start=${next}` }
    return {
      json: { results: items.map(show), start: Number(query.get('start')), size: items.length, _links },
    }
  }
  if (path === '/rest/api/space') return list(site.spaces, ({ id, ...more }) => ({ id: Number(id), ...more }))
  if (path === '/rest/api/content') {
    const space = site.spaces.find(({ key }) => key === query.get('spaceKey'))
    const of = [...site.pages.values()].filter(
      (one) => one.space === space?.id && one.kind === query.get('type'),
    )
    return list(of.sort(byId), (page) => dataCenterPage(site, page))
  }
  const [, pageId] = /^\/rest\/api\/content\/(.+)\/child\/attachment$/.exec(path) ?? []
  if (pageId)
    return list(
      [...site.files.values()].filter(({ page }) => page === pageId),
      (file) => dataCenterFile(file),
    )
  const [, id = ''] = /^\/rest\/api\/content\/([^/]+)$/.exec(path) ?? []
  const file = site.files.get(id)
  if (file) return { json: dataCenterFile(file, site.fileAddress) }
  const page = site.pages.get(id)
  if (page && query.get('expand') === 'body.export_view')
    return { json: { id, title: page.title, body: { export_view: { value: page.html } } } }
  if (path.startsWith('/download/')) return fileOf(site, query.get('id') ?? '')
  return notFound
}

function dataCenterPage(site: ConfluenceServer, page: Page) {
  const ancestors: { title: string }[] = []
  for (let one = site.pages.get(page.parent ?? ''); one; one = site.pages.get(one.parent ?? ''))
    ancestors.unshift({ title: one.title })
  const files = [...site.files.values()].filter((file) => file.page === page.id)
  return {
    ...{ id: page.id, type: page.kind, title: page.title, ancestors, metadata: metadataOf(page.labels) },
    version: { number: page.version, when: '2026-11-02T10:00:00.000+00:00' },
    history: { createdDate: '2026-10-01T08:00:00.000Z', createdBy: { displayName: 'Inès Roche' } },
    children: {
      attachment: {
        results: files.slice(0, 1).map((file) => dataCenterFile(file)),
        _links: files.length > 1 ? { next: 'more' } : {},
      },
    },
    _links: { webui: `/display/${page.space}/${page.id}` },
  }
}

const dataCenterFile = ({ id, page, title, text, version }: File, fileAddress: string | null = null) => ({
  ...{ id, type: 'attachment', title, version: { number: version }, extensions: { fileSize: text.length } },
  _links: {
    download: fileAddress ?? `/download/attachments/${page}/file?id=${id}`,
    webui: `/pages/files/${id}`,
  },
})
