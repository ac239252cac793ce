import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startBucketServer } from './bucket-server.ts'
import { startDavServer } from './dav-server.ts'
import { startGitServer } from './git-server.ts'
import { aMail } from './imap-server.ts'
import { startMailFoldersServer } from './mail-folders-server.ts'
import { aDrive, aSite } from './sources/drive-fixtures.ts'
import { aNotebook, aTracker, aWiki, aWorkspace } from './sources/page-fixtures.ts'
import type { Files, SourceFixture } from './sources/source-fixture.ts'

/** Starts a server for every source, by its id. */
export const sourceFixtures: Record<string, () => Promise<SourceFixture>> = {
  ...{ folder: aFolder, webdav: aDav, s3: aBucket, imap: aMailbox, git: aRepository, web: aWebsite },
  ...{ confluence: aWiki, jira: aTracker, notion: aNotebook, slack: aWorkspace },
  ...{ 'google-drive': aDrive, 'microsoft-files': aSite },
}

async function aFolder(): Promise<SourceFixture> {
  const root = mkdtempSync(join(tmpdir(), 'atrium-fixture-'))
  let [wanted, stored] = ['', new Map() as Files]
  const look = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((path) => `${path} ${statSync(join(root, path)).mtimeMs}`)
      .join('\n')
  return {
    ...{
      settings: { path: root },
      config: { ATRIUM_CONNECTOR_FOLDERS: root },
      setBusy: null,
      changesItems: true,
    },
    setFiles: (files) => {
      for (const path of stored.keys()) if (!files.has(path)) rmSync(join(root, path))
      for (const [path, text] of files) {
        if (stored.get(path) === text) continue
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), text)
      }
      stored = new Map(files)
      wanted = look()
    },
    writes: () => (look() === wanted ? [] : [`${look()} instead of ${wanted}`]),
    close: () => rmSync(root, { recursive: true }),
  }
}

async function aDav(): Promise<SourceFixture> {
  const dav = await startDavServer()
  return {
    settings: { address: dav.url, username: 'ada', password: dav.password },
    ...{ config: { ATRIUM_TOOLS_PRIVATE: dav.url }, changesItems: true, close: dav.close },
    setFiles: (files) => {
      dav.files.clear()
      for (const [path, text] of files) dav.files.set(path, { text, id: path })
    },
    setBusy: (isBusy) => {
      dav.fault = () => (isBusy ? 429 : null)
    },
    writes: () => [...dav.methods].filter((method) => method !== 'GET' && method !== 'PROPFIND'),
  }
}

async function aBucket(): Promise<SourceFixture> {
  const bucket = await startBucketServer()
  bucket.pageSize = 20
  const { id: access_key, secret: secret_key, region } = bucket.keys
  return {
    settings: { address: bucket.url, bucket: 'files', region, access_key, secret_key },
    ...{ config: { ATRIUM_TOOLS_PRIVATE: bucket.url }, changesItems: true, close: bucket.close },
    setFiles: (files) => {
      bucket.objects.clear()
      for (const [path, text] of files) bucket.objects.set(path, { text })
    },
    setBusy: (isBusy) => {
      bucket.fault = () => (isBusy ? { status: 503, code: 'SlowDown' } : null)
    },
    writes: () => [...bucket.methods].filter((method) => method !== 'GET'),
  }
}

async function aMailbox(): Promise<SourceFixture> {
  const mail = await startMailFoldersServer()
  const known = new Map<string, number>()
  const reads = new Set(['LOGIN', 'LIST', 'LSUB', 'EXAMINE', 'LOGOUT', 'FETCH'])
  return {
    settings: {
      ...{ host: '127.0.0.1', port: String(mail.port), security: 'starttls' },
      ...{ username: 'ada@example.com', password: mail.password },
    },
    config: { ATRIUM_TOOLS_PRIVATE: `http://127.0.0.1:${mail.port}` },
    setFiles: (files) => {
      const keyOf = ([path, text]: readonly [string, string]) => `${path}\n${text}`
      const wanted = new Set([...files].map(keyOf))
      for (const [key, uid] of known)
        if (!wanted.has(key)) {
          mail.remove(dirname(key.split('\n', 1)[0] ?? ''), uid)
          known.delete(key)
        }
      for (const [path, text] of files) {
        const key = keyOf([path, text])
        const id = createHash('md5').update(key).digest('hex')
        const raw = aMail({ to: 'a@example.com', subject: path.split('/').at(-1) ?? '', text, id })
        if (!known.has(key)) known.set(key, mail.add(dirname(path), raw))
      }
    },
    setBusy: (isBusy) => {
      mail.fault = (line) => (isBusy && line.startsWith('LOGIN') ? '{tag} NO [LIMIT] later\r\n' : null)
    },
    writes: () =>
      mail.said.filter((line) => {
        const name = line.replace(/^UID /, '').split(' ')[0] ?? ''
        return !reads.has(name) || /BODY(?!\.PEEK)\b/.test(line)
      }),
    ...{ changesItems: false, close: mail.close },
  }
}

async function aRepository(): Promise<SourceFixture> {
  const git = await startGitServer()
  return {
    settings: { address: git.url, token: git.token },
    ...{ config: { ATRIUM_TOOLS_PRIVATE: git.url }, changesItems: true, close: git.close },
    setFiles: (files) => void git.commit(Object.fromEntries(files)),
    setBusy: (isBusy) => {
      git.fault = () => (isBusy ? { status: 429, headers: { 'retry-after': '1' } } : null)
    },
    writes: () => git.said.filter((line) => line !== 'GET /info/refs' && line !== 'POST /git-upload-pack'),
  }
}

async function aWebsite(): Promise<SourceFixture> {
  let pages: Files = new Map()
  let isBusy = false
  const methods = new Set<string>()
  const server = createServer(({ method = '', url: asked = '' }, response) => {
    methods.add(method)
    if (isBusy) return response.writeHead(429, { 'retry-after': '1' }).end()
    if (asked === '/sitemap.xml') return response.end(sitemapOf(url, pages))
    const text = pages.get(decodeURIComponent(asked.slice(1)))
    return response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: { addresses: `${url}/sitemap.xml` },
    ...{ config: { ATRIUM_WEB_PRIVATE: url }, changesItems: true },
    setFiles: (files) => {
      pages = new Map(files)
    },
    setBusy: (wanted) => {
      isBusy = wanted
    },
    writes: () => [...methods].filter((method) => method !== 'GET' && method !== 'HEAD'),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Writes a sitemap. The date of a page depends on its text. */
function sitemapOf(url: string, pages: Files): string {
  const entries = [...pages].map(([path, text]) => {
    const days = createHash('md5').update(text).digest().readUInt16BE()
    const date = new Date(days * 86_400_000).toISOString()
    const place = `${url}/${path.split('/').map(encodeURIComponent).join('/')}`
    return `<url><loc>${place}</loc><lastmod>${date}</lastmod></url>`
  })
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`
}
