import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aDataFolder } from '../support/cleanups.ts'
import { type Product, startProduct } from '../support/product.ts'
import { copyProduct } from '../support/product-copy.ts'
import { aPerson, type Person } from './person.ts'

const source = `import { Readable } from 'node:stream'
import { defineConnector } from '../../define-connector.ts'

export default defineConnector({
  ...{ id: 'notes', place: 99, mirrorsRights: false, personal: true, hasFolders: false },
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
const texts = (name: string) =>
  JSON.stringify({ sources: { notes: { name, text: name, fields: { topic: name } } } })

const dataDir = aDataFolder('added-source')
const parent = mkdtempSync(join(tmpdir(), 'atrium-added-'))
let copy: ReturnType<typeof copyProduct>
let product: Product
let person: Person
beforeAll(async () => {
  const folder = join(parent, 'notes')
  for (const [language, name] of Object.entries({ en: 'Notes', fr: 'Carnets' })) {
    mkdirSync(join(folder, 'texts', language), { recursive: true })
    writeFileSync(join(folder, 'texts', language, 'connectors.json'), texts(name))
  }
  writeFileSync(join(folder, 'notes-source.ts'), source)
  copy = copyProduct([], [folder])
  const env = { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' }
  product = await startProduct({ dataDir, env, root: copy.root, entry: 'src/server/main.ts' })
  person = await aPerson(() => product.url)
})
afterAll(async () => {
  await product.stop()
  copy.remove()
  for (const folder of [dataDir, parent]) rmSync(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer depends on the route.
const ask = async (method: string, path: string, body?: object): Promise<any> => {
  const headers = { ...person.headers, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${product.url}/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true)
  return answer.json()
}

it('offers, names and reads a source of which only the folder was added', async () => {
  const { items } = await ask('GET', '/connector-sources')
  expect(items.at(-1)).toMatchObject({ id: 'notes', fields: [{ name: 'topic' }], signs_in: false })
  expect((await ask('GET', '/translations/en/connectors')).sources.notes.name).toBe('Notes')
  const { sources } = await ask('GET', '/translations/fr/connectors')
  expect([sources.notes.name, sources.git.name]).toEqual(['Carnets', 'Dépôt Git'])
  const { id } = await ask('POST', '/connectors', {
    ...{ source: 'notes', name: 'My notes', settings: { topic: 'pumps' }, company_id: null, readers: [] },
    ...{ selection: { folders: [], include: [], exclude: [] }, rights: 'named', every_minutes: 60 },
  })
  await expect
    .poll(() => ask('GET', `/connectors/${id}`), { timeout: 30_000, interval: 200 })
    .toMatchObject({ state: 'ready', read: 1, error: null })
}, 120_000)
