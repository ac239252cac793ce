import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type File = { text: string; id?: string; owner?: string }

/** A WebDAV server that answers as Nextcloud does. `methods` has the methods of all requests. */
export type DavServer = {
  url: string
  files: Map<string, File>
  /** Number of PROPFIND and GET requests to answer with this status. */
  fail: (status: number, times: number, headers?: Record<string, string>) => void
  /** Returns the status to answer a request for a path with, or null to answer it. A 429 asks to wait for a second. */
  fault: (path: string) => number | null
  /** Resolves when a file may be sent. */
  beforeFile: () => Promise<void>
  password: string
  /** Name of a folder that every folder contains, with a file. */
  loop: string | null
  /** False to answer without ETags and dates. */
  hasVersions: boolean
  methods: Set<string>
  close: () => void
}

/** Starts a WebDAV server with files, with the folders of their paths. */
export async function startDavServer(): Promise<DavServer> {
  let failing = { status: 0, times: 0, headers: {} as Record<string, string> }
  const files = new Map<string, File>()
  const dav: DavServer = {
    ...{ url: '', files, password: 'sesame', loop: null, hasVersions: true, methods: new Set() },
    fail: (status, times, headers = {}) => {
      failing = { status, times, headers }
    },
    fault: () => null,
    beforeFile: async () => undefined,
    close: () => void server.close(),
  }
  const server = createServer((request, response) => {
    request.resume()
    dav.methods.add(request.method ?? '')
    const answer = (status: number, body = '', headers: Record<string, string> = {}) =>
      response.writeHead(status, headers).end(body)
    const wanted = `Basic ${Buffer.from(`ada:${dav.password}`).toString('base64')}`
    if (request.headers.authorization !== wanted) return answer(401)
    const status = dav.fault(request.url ?? '')
    if (status !== null) return answer(status, '', status === 429 ? { 'retry-after': '1' } : {})
    if (failing.times > 0) {
      failing.times -= 1
      return answer(failing.status, '', failing.headers)
    }
    const path = decodeURIComponent((request.url ?? '').replace(/^\/dav\/?/, '')).replace(/\/$/, '')
    if (request.method === 'PROPFIND') {
      const xml = listFolder(dav, path)
      return xml === null ? answer(404) : answer(207, xml, { 'content-type': 'application/xml' })
    }
    const file = files.get(path)
    if (!file) return answer(404)
    void dav.beforeFile().then(() => answer(200, file.text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  dav.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dav`
  return dav
}

/** Returns the answer to a PROPFIND with the depth 1; null for a folder that does not exist. */
function listFolder({ files, loop, hasVersions }: DavServer, folder: string): string | null {
  const start = folder === '' ? '' : `${folder}/`
  const looping = loop ? [[`${start}${loop}/again.txt`, { text: 'Again.' }] as [string, File]] : []
  const below = [...files, ...looping].filter(([path]) => path.startsWith(start))
  if (loop && folder.endsWith(loop)) below.push([`${start}again.txt`, { text: 'Again.' }])
  if (below.length === 0 && folder !== '') return null
  const folders = new Set(
    below.flatMap(([path]) => {
      const rest = path.slice(start.length)
      return rest.includes('/') ? [start + rest.slice(0, rest.indexOf('/'))] : []
    }),
  )
  const direct = below.filter(([path]) => !path.slice(start.length).includes('/'))
  const responses = [folder, ...folders].map((path) =>
    response(path, true, '<d:resourcetype><d:collection/></d:resourcetype>'),
  )
  for (const [path, { text, id, owner }] of direct)
    responses.push(
      response(
        path,
        false,
        `<d:resourcetype/><d:getcontentlength>${Buffer.byteLength(text)}</d:getcontentlength>
        ${hasVersions ? versionOf(text) : ''}
        ${id ? `<oc:fileid>${id}</oc:fileid>` : ''}${owner ? `<oc:owner-display-name>${owner}</oc:owner-display-name>` : ''}`,
      ),
    )
  return `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">${responses.join('')}</d:multistatus>`
}

const versionOf = (text: string) => `
  <d:getetag>"${text.length}-${Buffer.from(text).toString('hex').slice(-16)}"</d:getetag>
  <d:getlastmodified>Mon, 02 Nov 2026 10:00:00 GMT</d:getlastmodified>`

function response(path: string, isFolder: boolean, props: string): string {
  const href = `/dav/${path.split('/').map(encodeURIComponent).join('/')}${isFolder && path ? '/' : ''}`
  return `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
}
