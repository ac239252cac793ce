import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jsonOf, notify } from './notifying.ts'

export const DRIVE_FOLDER = 'application/vnd.google-apps.folder'
const ROOT = 'root-of-ada'

type Permission = { type: string; emailAddress?: string; domain?: string; deleted?: boolean }
type File = {
  id: string
  name: string
  mimeType: string
  parents: string[]
  /** The shared drive that it is in. */
  driveId?: string
  trashed?: boolean
  text: string
  createdTime: string
  modifiedTime: string
  permissions: Permission[]
}

/** Google Drive API v3 as far as a source reads it: folders, pages, changes, permissions and exports. */
export type DriveServer = {
  url: string
  root: string
  files: Map<string, File>
  drives: Map<string, string>
  /** Permissions of shared drives, which their files have too. Google logs no change of them. */
  members: Map<string, Permission[]>
  /** Adds a file or folder, or changes some of its fields. It is logged as a change. */
  put: (file: Partial<File> & { id: string }) => void
  /** Deletes a file for good. */
  remove: (id: string) => void
  /** Number of contents read, by file. */
  reads: Map<string, number>
  /** Paths of all requests. */
  asked: string[]
  methods: Set<string>
  /** Answers the next requests with a status and a reason. */
  fail: (status: number, times: number, reason?: string, headers?: Record<string, string>) => void
  /** The list whose pages all name the same next page; null for none. */
  repeats: 'files' | 'permissions' | 'drives' | null
  /** Makes all tokens of changes too old. */
  forgetChanges: () => void
  /** Open channels of changes by id. */
  channels: Map<string, { address: string; token: string; driveId: string | null }>
  /** Origin that receives notifications in place of the public one; null for none. */
  receiver: string | null
  /** Statuses of the answers to notifications. */
  notified: (number | undefined)[]
  /** Opens the next channel and breaks off the answer. */
  losesAnswer: boolean
  /** Called before every request. */
  before: (path: string) => Promise<void> | void
  close: () => void
}

/** Starts the server. `isKnown` tells whether an access token is valid. */
export async function startDriveServer(isKnown: (token: string) => Promise<boolean>): Promise<DriveServer> {
  const state: State = { log: [], oldest: 1, failing: { status: 0, times: 0, reason: '', headers: {} } }
  const drive: DriveServer = {
    ...{ url: '', root: ROOT, files: new Map(), drives: new Map(), reads: new Map() },
    members: new Map(),
    repeats: null,
    ...{ asked: [], methods: new Set(), before: () => undefined },
    ...{ channels: new Map(), receiver: null, notified: [], losesAnswer: false },
    put: (file) => {
      put(drive, state, file)
      void tellChannels(drive, drive.files.get(file.id)?.driveId ?? null, 'change')
    },
    remove: (id) => {
      const driveId = drive.files.get(id)?.driveId ?? null
      note(state, id, driveId)
      drive.files.delete(id)
      void tellChannels(drive, driveId, 'change')
    },
    fail: (status, times, reason = '', headers = {}) => {
      state.failing = { status, times, reason, headers }
    },
    forgetChanges: () => {
      note(state, 'forgotten', null)
      state.oldest = state.log.length + 1
    },
    close: () => void server.close(),
  }
  const server = createServer(async (request, response) => {
    const body = await jsonOf(request)
    const url = new URL(request.url ?? '/', 'http://drive')
    const path = url.pathname.replace('/drive/v3', '')
    drive.methods.add(request.method ?? '')
    drive.asked.push(path)
    await drive.before(path)
    if (!(await isKnown(tokenOf(request)))) return refuse(response, 401, 'authError')
    const { failing } = state
    if (failing.times > 0) {
      failing.times -= 1
      return refuse(response, failing.status, failing.reason, failing.headers)
    }
    if (body) return answerPost({ drive, path, driveId: url.searchParams.get('driveId'), body, response })
    answer(drive, state, path, url.searchParams, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  drive.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return drive
}

type State = {
  log: { id: string; drive: string | null }[]
  oldest: number
  failing: { status: number; times: number; reason: string; headers: Record<string, string> }
}

const PAGE = 5
const tokenOf = ({ headers }: IncomingMessage) => (headers.authorization ?? '').replace('Bearer ', '')
const note = ({ log }: State, id: string, drive: string | null) => void log.push({ id, drive })
const json = (response: ServerResponse, body: object): ServerResponse =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Notifies the open channels of a drive. */
async function tellChannels(drive: DriveServer, driveId: string | null, state: string): Promise<void> {
  for (const [id, channel] of [...drive.channels]) {
    if (channel.driveId !== driveId) continue
    const headers = {
      'x-goog-channel-id': id,
      'x-goog-channel-token': channel.token,
      'x-goog-resource-state': state,
    }
    const answered = await notify(drive.receiver, channel.address, { headers }).catch(() => null)
    if (answered) drive.notified.push(answered.status)
  }
}

type Post = {
  drive: DriveServer
  path: string
  driveId: string | null
  body: Record<string, string>
  response: ServerResponse
}

/** Opens and closes channels. Google accepts https addresses only. */
function answerPost({ drive, path, driveId, body, response }: Post): ServerResponse {
  const { id = '', address = '', token = '', expiration } = body
  if (path === '/channels/stop') {
    if (!drive.channels.delete(id)) return refuse(response, 404, 'notFound')
    return response.writeHead(204).end()
  }
  if (path !== '/changes/watch' || body.type !== 'web_hook') return refuse(response, 404, 'notFound')
  if (!address.startsWith('https://')) return refuse(response, 401, 'push.webhookUrlNotHttps')
  drive.channels.set(id, { address, token, driveId })
  if (drive.losesAnswer) return refuse(response, 500, 'backendError')
  void tellChannels(drive, driveId, 'sync')
  return json(response, { kind: 'api#channel', id, resourceId: `changes-of-${driveId}`, expiration })
}

function refuse(response: ServerResponse, status: number, reason: string, headers = {}): ServerResponse {
  const error = { code: status, message: reason, errors: [{ domain: 'global', reason, message: reason }] }
  return response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ error }))
}

function put(drive: DriveServer, state: State, change: Partial<File> & { id: string }): void {
  const known = drive.files.get(change.id)
  const now = new Date().toISOString()
  const fresh = {
    ...{ name: change.id, mimeType: 'text/plain', parents: [ROOT], text: '', permissions: [] },
    ...{ createdTime: '2026-01-05T08:00:00Z', modifiedTime: now },
  }
  const isEdited = change.text !== undefined && change.text !== known?.text
  const file = { ...fresh, ...known, ...(isEdited && { modifiedTime: now }), ...change }
  if (known && known.driveId !== file.driveId) note(state, file.id, known.driveId ?? null)
  drive.files.set(file.id, file)
  note(state, file.id, file.driveId ?? null)
}

function answer(
  drive: DriveServer,
  state: State,
  path: string,
  query: URLSearchParams,
  response: ServerResponse,
): ServerResponse {
  const [, , given = '', below] = path.split('/').map(decodeURIComponent)
  if (path === '/files') return json(response, listFiles(drive, query))
  if (path === '/files/root') return json(response, { id: ROOT })
  if (path === '/drives')
    return json(response, {
      drives: [...drive.drives].map(([id, name]) => ({ id, name })),
      ...(drive.repeats === 'drives' && { nextPageToken: '0' }),
    })
  if (path === '/changes/startPageToken')
    return json(response, { startPageToken: String(state.log.length + 1) })
  if (path === '/changes') {
    if (Number(query.get('pageToken')) < state.oldest) return refuse(response, 410, 'gone')
    return json(response, listChanges(drive, state, query))
  }
  const inherited = drive.members.get(drive.files.get(given)?.driveId ?? given) ?? []
  if (below === 'permissions' && drive.drives.has(given)) return json(response, { permissions: inherited })
  const file = drive.files.get(given)
  if (!file) return refuse(response, 404, 'notFound')
  if (below === 'permissions')
    return json(response, {
      permissions: [...file.permissions, ...inherited],
      ...(drive.repeats === 'permissions' && { nextPageToken: '0' }),
    })
  if (below !== 'export' && query.get('alt') !== 'media') return json(response, shown(file, true))
  if (below === 'export' && file.text.length > 10_000_000)
    return refuse(response, 403, 'exportSizeLimitExceeded')
  drive.reads.set(given, (drive.reads.get(given) ?? 0) + 1)
  return response.writeHead(200).end(file.text)
}

/** Answers as Google does: files in shared drives have no permissions, and Google's own documents no size and no checksum. */
function shown({ text, permissions, ...file }: File, hasPermissions: boolean): object {
  const isNative = file.mimeType.startsWith('application/vnd.google-apps.')
  const checksum = Buffer.from(text).toString('base64url')
  return {
    ...file,
    ...(!isNative && { size: String(Buffer.byteLength(text)), md5Checksum: checksum }),
    ...(!file.driveId && { owners: [{ displayName: 'Ada Kessler', emailAddress: 'owner@orsane.eu' }] }),
    ...(!file.driveId && hasPermissions && { permissions }),
    webViewLink: `https://drive.google.com/file/d/${file.id}/view`,
  }
}

const asksFor = (query: URLSearchParams, what: string) => (query.get('fields') ?? '').includes(what)

function listFiles({ files, repeats }: DriveServer, query: URLSearchParams): object {
  const q = query.get('q') ?? ''
  const parent = /^'(.+?)' in parents and trashed = false/.exec(q)?.[1] ?? ''
  const type = /mimeType = '(.+?)'/.exec(q)?.[1]
  const all = [...files.values()].filter(
    (one) => one.parents.includes(parent) && !one.trashed && (!type || one.mimeType === type),
  )
  const from = Number(query.get('pageToken') ?? 0)
  const next = from + PAGE
  return {
    files: all.slice(from, next).map((one) => shown(one, asksFor(query, 'permissions('))),
    ...(repeats === 'files' ? { nextPageToken: '0' } : next < all.length && { nextPageToken: String(next) }),
  }
}

function listChanges({ files }: DriveServer, { log }: State, query: URLSearchParams): object {
  const driveId = query.get('driveId')
  const first = Number(query.get('pageToken'))
  const part = log.slice(first - 1, first - 1 + PAGE)
  const changes = part
    .filter((one) => one.drive === driveId)
    .map(({ id }) => {
      const file = files.get(id)
      const isHere = file && (file.driveId ?? null) === driveId
      const what = { kind: 'drive#change', changeType: 'file', fileId: id, removed: !isHere }
      return isHere ? { ...what, file: shown(file, asksFor(query, 'permissions(')) } : what
    })
  const next = first + part.length
  return {
    changes,
    ...(next <= log.length ? { nextPageToken: String(next) } : { newStartPageToken: String(next) }),
  }
}
