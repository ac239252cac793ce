import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { aDataFolder } from '../support/cleanups.ts'
import { cloneDatabase } from '../support/database.ts'
import { databaseUrl } from '../support/database-url.ts'
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { copyProduct } from '../support/product-copy.ts'
import { keepCookies, wander } from '../support/wander.ts'
import { aPerson, type Person } from './person.ts'

const notes = `import { Readable } from 'node:stream'
import { defineConnector } from '../../define-connector.ts'

export default defineConnector({
  ...{ id: 'notes', place: 98, mirrorsRights: false, personal: true, hasFolders: false },
  fields: [{ name: 'topic', type: 'text', required: true }],
  isOffered: () => true,
  hostOf: () => null,
  open: async ({ settings }) => ({
    check: async () => undefined,
    list: async function* () {
      yield { items: [{ id: '1', version: '1', name: 'a.txt', path: 'a.txt', size: null }], cursor: null }
    },
    read: async () => Readable.from([Buffer.from(\`Notes about \${settings.topic}.\`)]),
  }),
})
`

const diarySettings = `import { declareSettings, optionalText, webAddress } from '../../../../platform/config/declare-settings.ts'

export default declareSettings(
  {
    DIARY_CLIENT_ID: optionalText,
    DIARY_CLIENT_SECRET: optionalText,
    DIARY_URL: webAddress.default('https://diary.example'),
    DIARY_SIGN_IN_URL: webAddress.default('https://diary.example/oauth'),
  },
  { client: ['DIARY_CLIENT_ID', 'DIARY_CLIENT_SECRET'] },
)
`

/** A source with a sign-in page, changes and mirrored rights. */
const diary = `import { Readable } from 'node:stream'
import { defineConnector } from '../../define-connector.ts'
import { fetchWithToken } from '../../sign-in/with-token.ts'
import settings from './diary-settings.ts'

const itemOf = ({ id, readers }) =>
  ({ id, version: '1', name: \`\${id}.txt\`, path: \`\${id}.txt\`, size: null, readers })

export default defineConnector({
  ...{ id: 'diary', place: 99, mirrorsRights: true, personal: true, hasFolders: false, fields: [] },
  signIn: {
    needs: settings.client,
    serviceOf: (config) => {
      const values = settings.of(config)
      return {
        ...{ issuer: null, revoke: null, methods: [], names_itself: false, resource: null, scope: 'diary' },
        ...{ authorize: \`\${values.DIARY_SIGN_IN_URL}/auth\`, token: \`\${values.DIARY_SIGN_IN_URL}/token\` },
        client_id: values.DIARY_CLIENT_ID ?? '',
        client_secret: values.DIARY_CLIENT_SECRET ?? null,
      }
    },
    parameters: {},
  },
  isOffered: () => true,
  hostOf: () => null,
  open: async (context) => {
    const url = settings.of(context.config).DIARY_URL
    const ask = async (path) => {
      const answer = await fetchWithToken(context, url + path, { maxBytes: 1e5, seconds: 10, trusted: [url] })
      if (!answer.ok) throw new Error(\`The diary answers \${answer.status}.\`)
      return answer.json()
    }
    return {
      check: async () => void (await ask('/since/0')),
      list: async function* () {
        const pages = await ask('/since/0')
        yield { items: pages.map(itemOf), cursor: null, changes: String(pages.length) }
      },
      changes: async (_, token) => {
        const pages = await ask(\`/since/\${token}\`)
        return {
          ...{ items: pages.map(itemOf), removed: [], hasMore: false },
          token: String(Number(token) + pages.length),
        }
      },
      read: async ({ id }) => Readable.from([Buffer.from((await ask(\`/page/\${id}\`)).text)]),
    }
  },
})
`

const texts = (source: string, name: string) =>
  JSON.stringify({ sources: { [source]: { name, text: name, fields: { topic: name } } } })

const dataDir = aDataFolder('added-source')
const parent = mkdtempSync(join(tmpdir(), 'atrium-added-'))
/** Pages of the diary, in the order of their time. */
const pages: { id: string; text: string; readers: string[] }[] = []
/** Paths that the diary was asked for with a valid token. */
const asked: string[] = []
let oauth: OAuthServer
let diaryServer: Server
let copy: ReturnType<typeof copyProduct>
let database: Awaited<ReturnType<typeof cloneDatabase>>
let env: Record<string, string>
let product: Product
let ada: Person
beforeAll(async () => {
  addFolder('notes', { en: 'Notes', fr: 'Carnets' }, { 'notes-source.ts': notes })
  addFolder(
    'diary',
    { en: 'Diary', fr: 'Journal' },
    { 'diary-source.ts': diary, 'diary-settings.ts': diarySettings },
  )
  oauth = await startOAuthServer()
  diaryServer = await startDiary()
  copy = copyProduct([], [join(parent, 'notes'), join(parent, 'diary')])
  database = await cloneDatabase()
  env = {
    DATABASE_URL: databaseUrl(database.address),
    ...{ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', DIARY_SIGN_IN_URL: oauth.url },
    ...{ DIARY_CLIENT_ID: 'atrium', DIARY_CLIENT_SECRET: 'secret-of-atrium' },
    DIARY_URL: `http://127.0.0.1:${(diaryServer.address() as AddressInfo).port}`,
  }
  product = await start(env)
  ada = await aPerson(() => product.url)
  const client = {
    ...{ client_id: 'atrium', client_secret: 'secret-of-atrium' },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] },
    redirect_uris: [`${product.url}/api/v1/connector-sign-ins/return`],
  }
  oauth.know({ clients: [client], registers: false, scopes: ['diary'] })
})
afterAll(async () => {
  await product.stop()
  copy.remove()
  oauth.close()
  await database.drop()
  diaryServer.close()
  for (const folder of [dataDir, parent]) rmSync(folder, { recursive: true, force: true })
})

const start = (variables: Record<string, string>) =>
  startProduct({ dataDir, env: variables, root: copy.root, entry: 'src/server/main.ts' })

function addFolder(source: string, names: Record<string, string>, files: Record<string, string>): void {
  const folder = join(parent, source)
  for (const [language, name] of Object.entries(names)) {
    mkdirSync(join(folder, 'texts', language), { recursive: true })
    writeFileSync(join(folder, 'texts', language, 'connectors.json'), texts(source, name))
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** Serves the pages to valid tokens. */
async function startDiary(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if ((await oauth.personOf(token)) === null) return response.writeHead(401).end()
    const [, kind, value] = request.url?.split('/') ?? []
    asked.push(request.url ?? '')
    const answer = kind === 'since' ? pages.slice(Number(value)) : pages.find(({ id }) => id === value)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer ?? null))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer depends on the route.
const ask = async (method: string, path: string, body?: object, who = ada): Promise<any> => {
  const headers = { ...who.headers, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${product.url}/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true)
  return answer.status === 204 ? null : answer.json()
}

const wish = {
  ...{ company_id: null, readers: [], every_minutes: 60, rights: 'named' },
  selection: { folders: [], include: [], exclude: [] },
}

const becomes = (id: string, state: object) =>
  expect
    .poll(() => ask('GET', `/connectors/${id}`), { timeout: 30_000, interval: 200 })
    .toMatchObject({ state: 'ready', error: null, ...state })

/** Signs in on the page of the source, like a browser. */
async function signIn(id: string): Promise<void> {
  const begun = await fetch(`${product.url}/api/v1/connectors/${id}/sign-in`, {
    ...{ method: 'POST', headers: ada.headers },
  })
  const jar = new Map<string, string>()
  keepCookies(jar, begun)
  const { url } = (await begun.json()) as { url: string }
  const back = await wander(url, new Map([[new URL(product.url).host, jar]]))
  expect(back.url.searchParams.get('sign_in')).toBe('connected')
}

/** Counts an address as verified. */
async function verify(email: string): Promise<void> {
  const { pool, close } = connect(database.address, createLog('silent'), { max: 1 })
  await pool.query('update users set email_verified_at = now() where email = $1', [email])
  await close()
}

it('offers, names and reads a source of which only the folder was added [CN-01]', async () => {
  const { items } = await ask('GET', '/connector-sources')
  expect(items.slice(-2)).toMatchObject([
    { id: 'notes', fields: [{ name: 'topic' }], signs_in: false },
    { id: 'diary', fields: [], signs_in: true, mirrors_rights: true },
  ])
  expect((await ask('GET', '/translations/en/connectors')).sources.notes.name).toBe('Notes')
  const { sources } = await ask('GET', '/translations/fr/connectors')
  expect([sources.notes.name, sources.git.name]).toEqual(['Carnets', 'Dépôt Git'])
  const { id } = await ask('POST', '/connectors', {
    ...{ ...wish, source: 'notes', name: 'My notes', settings: { topic: 'pumps' } },
  })
  await becomes(id, { read: 1 })
}, 120_000)

it('signs in to an added source, reads its changes and mirrors its rights [CN-01]', async () => {
  const { email, company_affiliations } = await ask('GET', '/users/me')
  await verify(email)
  const company_id = company_affiliations[0].company.id
  pages.push({ id: 'monday', text: 'The pump was oiled.', readers: [`user:${email}`] })
  const { id } = await ask('POST', '/connectors', {
    ...{ ...wish, rights: 'mirrored', source: 'diary', name: 'Our diary', settings: {}, start: false },
    ...{ company_id, readers: [{ kind: 'company', id: company_id }] },
  })
  await signIn(id)
  await ask('POST', `/connectors/${id}/sync`)
  await becomes(id, { read: 1 })
  pages.push({ id: 'tuesday', text: 'The pump leaks.', readers: ['user:other@house.example'] })
  asked.length = 0
  await ask('POST', `/connectors/${id}/sync`)
  await becomes(id, { read: 2 })
  expect(asked).toEqual(['/since/1', '/page/tuesday'])
  const { items } = await ask('GET', `/documents?connector_id=${id}`)
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['monday.txt'])
}, 120_000)

it('checks the settings of an added source at the start and names those that are missing [CN-01]', async () => {
  await product.stop()
  await expect(start({ ...env, DIARY_URL: 'diary' })).rejects.toThrow(
    'DIARY_URL is wrong: must be an address that starts with http:// or https://.',
  )
  await expect(start({ ...env, DIARY_CLIENT_SECRET: '' })).rejects.toThrow(
    'DIARY_CLIENT_ID also needs DIARY_CLIENT_SECRET.',
  )
  product = await start({ ...env, DIARY_CLIENT_ID: '', DIARY_CLIENT_SECRET: '' })
  const { items, not_set_up } = await ask('GET', '/connector-sources')
  expect(items.map(({ id }: { id: string }) => id)).not.toContain('diary')
  expect(not_set_up).toContainEqual({ id: 'diary', settings: ['DIARY_CLIENT_ID', 'DIARY_CLIENT_SECRET'] })
}, 120_000)
