import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { createBuiltInEmbeddings } from '../models/built-in-embedding/built-in-embedding.ts'
import { openVectors, type TableSpec } from '../vectors/vectors.ts'
import { readKeywords } from './keywords.ts'
import { retrieve, type SearchType } from './retrieve.ts'

/** A passage for each subject, named by its place. */
const passages = [
  'Invoice 4711 of Brandt Ltd is overdue since March.',
  'Invoice 4712 of Brandt Ltd was paid in April.',
  'Tenants owe the landlord their monthly payment on the first working day.',
  'The kitten fell asleep on the couch beside the fire.',
  'Staff may work from their homes two days in each week.',
  'The turbine of pump P-203 must be greased every 500 hours.',
  'The turbine of pump P-305 must be replaced after a leak.',
  'A physician examined the broken arm at the hospital.',
  'Sales grew by nine percent while costs stayed level.',
  'Passwords are changed when somebody leaves the company.',
]
/** Some share the words of their passage, some its meaning alone. */
const questions: readonly [string, number][] = [
  ['What is the state of invoice 4711?', 0],
  ['Was invoice 4712 paid?', 1],
  ['When is the rent due?', 2],
  ['Where did the cat take a nap?', 3],
  ['What are the rules for remote employees?', 4],
  ['How often is P-203 greased?', 5],
  ['What happens to P-305 after a leak?', 6],
  ['Which doctor looked at the injury?', 7],
  ['Did revenue rise?', 8],
  ['What happens to credentials of people who quit?', 9],
]

const spec: TableSpec = {
  targets: [{ name: 'default', dimensions: 384, metric: 'cosine', isMulti: false }],
  index: 'flat',
}
const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'atrium-quality-'))
const models = join(import.meta.dirname, '../../../node_modules/.cache/models')
const embeddings = createBuiltInEmbeddings({ folder: models, log: createLog('silent') })
const vectors = openVectors({ location: folder })
const table = vectors.table('c', spec)

const embed = async (texts: string[]) => (await embeddings.best()).embed(texts, never)

beforeAll(async () => {
  await vectors.create('c', spec)
  const made = await embed(passages)
  await table.put(
    passages.map((text, position) => ({
      ...{ id: String(position), reading_id: 'r', document_id: 'd', user_id: 'u', company_id: null },
      ...{
        shared_access: [],
        chunk_type: 'paragraph',
        file_name: '',
        file_type: 'txt',
        page: null,
        position,
      },
      ...{ created_at: 0, language: 'en' as const, title: '', text, metadata: {} },
      vectors: { default: made[position] ?? [] },
    })),
  )
}, 180_000)
afterAll(() => {
  embeddings.close()
  vectors.close()
  rmSync(folder, { recursive: true, force: true })
})

/** nDCG@10 over the questions, each with one passage that answers it. */
async function quality(type: SearchType): Promise<number> {
  let sum = 0
  for (const [query, wanted] of questions) {
    const found = await retrieve(table, async () => embed([query]), {
      ...{ type, query, words: readKeywords(query), targets: spec.targets, join: 'minimum', alpha: 0.5 },
      ...{ filter: { and: [] }, limit: 10 },
    })
    const place = found.findIndex(({ id }) => id === String(wanted))
    if (place >= 0) sum += 1 / Math.log2(place + 2)
  }
  return sum / questions.length
}

it('a hybrid search does no worse than words alone, and better where only the meaning fits', async () => {
  const [keyword, hybrid] = [await quality('keyword'), await quality('hybrid')]
  expect(hybrid).toBeGreaterThan(keyword - 0.005)
  expect(hybrid).toBeGreaterThan(0.9)
  expect(keyword).toBeLessThan(0.9)
}, 120_000)
