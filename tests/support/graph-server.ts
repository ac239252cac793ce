import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jsonOf, notify } from './notifying.ts'

type Item = {
  id: string
  drive: string
  name: string
  /** Id of the folder that it is in; empty for the root folder of the drive. */
  parent: string
  isFolder: boolean
  text: string
  createdDateTime: string
  permissions: object[]
}

/** Microsoft Graph as far as a source reads it: sites, delta pages, permissions, groups, and downloads from another host. */
export type GraphServer = {
  url: string
  /** Origin of the links to further pages. */
  links: string
  /** Host of the downloads, which refuses requests with a token. */
  downloads: string
  sites: Map<string, { name: string; drives: string[] }>
  drives: Map<string, string>
  items: Map<string, Item>
  /** Members of groups by address. */
  groups: Map<string, string[]>
  /** Adds a file or folder, or changes some of its fields. */
  put: (item: Partial<Item> & { id: string; drive: string }) => void
  remove: (drive: string, id: string) => void
  reads: Map<string, number>
  asked: string[]
  methods: Set<string>
  fail: (status: number, times: number, headers?: Record<string, string>) => void
  /** Names the same next page again on every page: of items, of permissions, or not at all. */
  repeats: 'items' | 'permissions' | null
  subscriptions: Map<string, Subscription>
  /** Origin that receives notifications in place of the public one; null for none. */
  receiver: string | null
  /** Statuses of the answers to notifications. */
  notified: (number | undefined)[]
  /** Sends a lifecycle notification of all subscriptions. */
  tellLifecycle: (lifecycleEvent: string) => Promise<void>
  /** Makes all delta links too old. */
  forgetChanges: () => void
  close: () => void
}

type Subscription = {
  resource: string
  clientState: string
  notificationUrl: string
  expirationDateTime: string
}

type State = {
  log: { id: string; drive: string }[]
  oldest: number
  failing: { status: number; times: number; headers: Record<string, string> }
}

const PAGE = 5
const tokenOf = ({ headers }: IncomingMessage) => (headers.authorization ?? '').replace('Bearer ', '')
const json = (response: ServerResponse, body: object, status = 200): ServerResponse =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const refuse = (response: ServerResponse, status: number, code: string) =>
  json(response, { error: { code, message: code } }, status)
const keyOf = (drive: string, id: string) => `${drive}/${id}`
const rootOf = (drive: string) => `${drive}-root`

/** Starts the server. `oauth` is the address of the service where people sign in, `isKnown` tells whether a token is valid. */
export async function startGraphServer(
  oauth: string,
  isKnown: (token: string) => Promise<boolean>,
): Promise<GraphServer> {
  const state: State = { log: [], oldest: 0, failing: { status: 0, times: 0, headers: {} } }
  const graph: GraphServer = {
    ...{
      url: '',
      links: '',
      downloads: '',
      sites: new Map(),
      drives: new Map(),
      items: new Map(),
      groups: new Map(),
    },
    ...{ reads: new Map(), asked: [], methods: new Set(), repeats: null },
    ...{ subscriptions: new Map(), receiver: null, notified: [] },
    tellLifecycle: (lifecycleEvent) => tellSubscriptions(graph, null, { lifecycleEvent }),
    put: (item) => {
      put(graph, state, item)
      void tellSubscriptions(graph, item.drive, { changeType: 'updated' })
    },
    remove: (drive, id) => {
      graph.items.delete(keyOf(drive, id))
      state.log.push({ id, drive })
      void tellSubscriptions(graph, drive, { changeType: 'updated' })
    },
    fail: (status, times, headers = {}) => {
      state.failing = { status, times, headers }
    },
    forgetChanges: () => {
      state.oldest = state.log.length + 1
    },
    close: () => {
      server.close()
      downloads.close()
    },
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://graph')
    if (url.pathname.startsWith('/login/')) return passOn(oauth, url, request, response)
    const body = await jsonOf(request)
    const path = url.pathname.replace('/v1.0', '')
    graph.methods.add(request.method ?? '')
    graph.asked.push(path)
    if (!(await isKnown(tokenOf(request)))) return refuse(response, 401, 'InvalidAuthenticationToken')
    const { failing } = state
    if (failing.times > 0) {
      failing.times -= 1
      return response.writeHead(failing.status, failing.headers).end('{}')
    }
    if (path.startsWith('/subscriptions'))
      return answerSubscription({
        graph,
        method: request.method ?? '',
        id: path.split('/')[2],
        body,
        response,
      })
    return answer({ graph, state, path, url, request, response })
  })
  const downloads = createServer((request, response) => {
    graph.methods.add(request.method ?? '')
    const key = decodeURIComponent((request.url ?? '').slice(1))
    const item = graph.items.get(key)
    if (request.headers.authorization || !item) return response.writeHead(item ? 400 : 404).end()
    graph.reads.set(key, (graph.reads.get(key) ?? 0) + 1)
    return response.writeHead(200).end(item.text)
  })
  graph.url = await listen(server)
  graph.links = graph.url
  graph.downloads = await listen(downloads)
  return graph
}

/** Notifies the subscriptions to a drive; to all drives with null. */
async function tellSubscriptions(graph: GraphServer, drive: string | null, what: object): Promise<void> {
  for (const [subscriptionId, { resource, clientState, notificationUrl }] of [...graph.subscriptions]) {
    if (drive !== null && resource !== `/drives/${drive}/root`) continue
    const body = { value: [{ subscriptionId, clientState, resource, ...what }] }
    const answered = await notify(graph.receiver, notificationUrl, { body }).catch(() => null)
    if (answered) graph.notified.push(answered.status)
  }
}

type Asking = {
  graph: GraphServer
  method: string
  id: string | undefined
  body: Record<string, string> | null
  response: ServerResponse
}

/** Makes, renews and deletes subscriptions. A new address has to return the text that proves it. */
async function answerSubscription({ graph, method, id, body, response }: Asking): Promise<ServerResponse> {
  const known = id ? graph.subscriptions.get(id) : undefined
  if (id && !known) return refuse(response, 404, 'ResourceNotFound')
  if (method === 'DELETE' && id) {
    graph.subscriptions.delete(id)
    return response.writeHead(204).end()
  }
  if (known && id && method === 'PATCH') {
    known.expirationDateTime = body?.expirationDateTime ?? ''
    return json(response, { id, ...known })
  }
  const wish = body as Subscription
  const proof = `Validation: ${randomUUID()} <b>&</b>`
  const proving = `${wish.notificationUrl}?validationToken=${encodeURIComponent(proof)}`
  const answered = await notify(graph.receiver, proving, { headers: { 'content-type': 'text/plain' } })
  if (answered?.status !== 200 || answered.text !== proof || !answered.type.startsWith('text/plain'))
    return refuse(response, 400, 'ValidationError')
  const made = randomUUID()
  graph.subscriptions.set(made, { ...wish })
  return json(response, { id: made, ...wish }, 201)
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The pages of Microsoft's sign-in have other paths than those of the service. */
async function passOn(oauth: string, url: URL, request: IncomingMessage, response: ServerResponse) {
  if (url.pathname.endsWith('/authorize')) {
    url.searchParams.delete('prompt')
    return response.writeHead(302, { location: `${oauth}/auth${url.search}` }).end()
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { authorization, 'content-type': type = '' } = request.headers
  const headers = { 'content-type': type, ...(authorization && { authorization }) }
  const given = await fetch(`${oauth}/token`, { method: 'POST', headers, body: Buffer.concat(chunks) })
  const body = await given.text()
  return response.writeHead(given.status, { 'content-type': 'application/json' }).end(body)
}

function put({ items }: GraphServer, { log }: State, change: Partial<Item> & { id: string; drive: string }) {
  const key = keyOf(change.drive, change.id)
  const fresh = {
    ...{ name: change.id, parent: '', isFolder: false, text: '', permissions: [] },
    createdDateTime: '2026-01-05T08:00:00Z',
  }
  items.set(key, { ...fresh, ...items.get(key), ...change })
  log.push({ id: change.id, drive: change.drive })
}

type Request = {
  graph: GraphServer
  state: State
  path: string
  url: URL
  request: IncomingMessage
  response: ServerResponse
}

function answer({ graph, state, path, url, request, response }: Request): ServerResponse {
  if (path === '/me/drive') return json(response, { id: 'mine', name: 'OneDrive' })
  const [, kind, id = '', part, below, last] = path.split('/').map(decodeURIComponent)
  if (kind === 'groups') {
    const members = graph.groups.get(id)
    if (!members) return refuse(response, 403, 'Authorization_RequestDenied')
    return json(response, { value: members.map((mail) => ({ mail, userPrincipalName: `x-${mail}` })) })
  }
  if (kind === 'sites' && part === 'drives') {
    const drives = graph.sites.get(id)?.drives ?? []
    return json(response, { value: drives.map((one) => ({ id: one, name: graph.drives.get(one) })) })
  }
  if (kind === 'sites') {
    const given = path.slice('/sites/'.length)
    const site = graph.sites.get(given)
    return site
      ? json(response, { id: given, displayName: site.name })
      : refuse(response, 404, 'itemNotFound')
  }
  if (!graph.drives.has(id)) return refuse(response, 404, 'itemNotFound')
  if (part === 'root' && below === 'delta') return sendDelta(graph, state, { id, url, request, response })
  if (part?.startsWith('root')) return sendChildren(graph, id, path, response)
  const item = graph.items.get(keyOf(id, below ?? ''))
  if (below === rootOf(id)) return json(response, { id: below, name: 'root', root: {}, folder: {} })
  if (!item) return refuse(response, 404, 'itemNotFound')
  if (last === 'permissions') {
    const next = graph.repeats === 'permissions' && { '@odata.nextLink': `${graph.url}/v1.0${path}` }
    return json(response, { value: item.permissions, ...next })
  }
  const address = `${graph.downloads}/${encodeURIComponent(keyOf(id, item.id))}`
  const content = url.search.includes('downloadUrl') && { '@microsoft.graph.downloadUrl': address }
  return json(response, { ...shown(graph, item, true), ...content })
}

/** Delta pages name parents by id only; single items with their path. */
function shown({ items }: GraphServer, item: Item, hasPath: boolean): object {
  const { id, drive, name, parent, isFolder, text, createdDateTime } = item
  const above: string[] = []
  for (
    let at = items.get(keyOf(drive, parent));
    at && above.length < 20;
    at = items.get(keyOf(drive, at.parent))
  )
    above.unshift(encodeURIComponent(at.name))
  const path = `/drives/${drive}/root:${above.map((one) => `/${one}`).join('')}`
  return {
    ...{ id, name, createdDateTime, size: Buffer.byteLength(text), webUrl: `https://files.test/${id}` },
    createdBy: { user: { displayName: 'Ada Kessler' } },
    parentReference: { driveId: drive, id: parent || rootOf(drive), ...(hasPath && { path }) },
    ...(isFolder
      ? { folder: { childCount: 0 } }
      : { file: { hashes: { quickXorHash: Buffer.from(text).toString('base64') } } }),
  }
}

function sendChildren({ items }: GraphServer, drive: string, path: string, response: ServerResponse) {
  const inner = /\/root:(.*):\/children$/.exec(path)?.[1] ?? ''
  let parent = ''
  for (const name of inner.split('/').filter(Boolean).map(decodeURIComponent)) {
    const found = [...items.values()].find(
      (one) => one.drive === drive && one.parent === parent && one.name === name,
    )
    if (!found) return refuse(response, 404, 'itemNotFound')
    parent = found.id
  }
  const below = [...items.values()].filter((one) => one.drive === drive && one.parent === parent)
  const value = below.map(({ id, name, text, isFolder }) => ({
    ...{ id, name, size: Buffer.byteLength(text) },
    ...(isFolder ? { folder: {} } : { file: {} }),
  }))
  return json(response, { value })
}

type Asked = { id: string; url: URL; request: IncomingMessage; response: ServerResponse }

/** Lists everything in pages, then the changes since the position in the log that a link names. */
function sendDelta(graph: GraphServer, { log, oldest }: State, { id, url, request, response }: Asked) {
  const [mode, from = '0', position = String(log.length)] = (
    url.searchParams.get('token') ?? `all~0~${log.length}`
  ).split('~')
  if (mode === 'changes' && Number(from) < oldest) return refuse(response, 410, 'resyncRequired')
  const linkTo = (token: string) => `${graph.links}/v1.0/drives/${id}/root/delta?token=${token}`
  if (mode === 'all') {
    const all = [...graph.items.values()].filter((one) => one.drive === id)
    const next = graph.repeats === 'items' ? Number(from) : Number(from) + PAGE
    const root = { id: rootOf(id), name: 'root', root: {}, folder: {} }
    const value = all.slice(Number(from), Number(from) + PAGE).map((one) => shown(graph, one, false))
    return json(response, {
      value: from === '0' ? [root, ...value] : value,
      ...(next < all.length
        ? { '@odata.nextLink': linkTo(`all~${next}~${position}`) }
        : { '@odata.deltaLink': linkTo(`changes~${position}`) }),
    })
  }
  const part = log.slice(Number(from), Number(from) + PAGE)
  const value = part.filter(({ drive }) => drive === id).map((one) => changeOf(graph, one))
  // Without this header, Graph also lists the folders in which something changed.
  if (request.headers.deltaexcludeparent !== 'true') value.push({ id: 'parent', name: 'p', folder: {} })
  const next = Number(from) + part.length
  return json(response, {
    value,
    [next < log.length ? '@odata.nextLink' : '@odata.deltaLink']: linkTo(`changes~${next}`),
  })
}

function changeOf(graph: GraphServer, { id, drive }: { id: string; drive: string }): object {
  const item = graph.items.get(keyOf(drive, id))
  return item ? shown(graph, item, false) : { id, deleted: { state: 'deleted' }, file: {} }
}
