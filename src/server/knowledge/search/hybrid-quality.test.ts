import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBuiltInEmbeddings } from '../../models/models/built-in-embedding/built-in-embedding.ts'
import { createLog } from '../../platform/log.ts'
import { openVectors, type TableSpec } from '../../platform/vectors/vectors.ts'
import { readKeywords } from './keywords.ts'
import { retrieve, type SearchType } from './retrieve.ts'

/** Passages of a company, named by index. Several share a subject, so that keywords alone mislead. */
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
  'Either party may terminate the agreement with ninety days of notice.',
  'The supplier pays a penalty of two percent for each week of delay.',
  'Spare parts under warranty are paid for by the manufacturer.',
  'The office in Leeds has a surface of 1,200 square metres.',
  'The office in Lyon was closed in 2019.',
  'Travel is booked by the assistant and paid with the company card.',
  'Receipts are handed in within thirty days, else nothing is refunded.',
  'The canteen serves lunch from noon until two.',
  'Visitors sign in at the reception and wear a badge.',
  'The alarm is tested on the first Monday of each month.',
  'In case of fire everybody leaves by the nearest stairs and meets in the car park.',
  'Annual leave is asked for in the portal and approved by the team lead.',
  'Unused holidays expire at the end of March.',
  'The server room is cooled to nineteen degrees.',
  'Backups are made every night and kept for ninety days.',
  'Customers may return goods within fourteen days of delivery.',
  'The contract with Kessler runs until June 2027.',
  'Prices of Kessler are revised once a year by the index of July.',
  'The lift takes eight people or six hundred kilograms.',
  'Parking spaces are given by lot each January.',
]
/** Questions with the passages that answer (2) or help (1). Some share words with their passage, others only its meaning. */
const questions: readonly [string, Record<number, number>][] = [
  ['What is the state of invoice 4711?', { 0: 2 }],
  ['Was invoice 4712 paid?', { 1: 2 }],
  ['When is the rent due?', { 2: 2 }],
  ['Where did the cat take a nap?', { 3: 2 }],
  ['What are the rules for remote employees?', { 4: 2 }],
  ['How often is P-203 greased?', { 5: 2 }],
  ['What happens to P-305 after a leak?', { 6: 2 }],
  ['Which doctor looked at the injury?', { 7: 2 }],
  ['Did revenue rise?', { 8: 2 }],
  ['What happens to credentials of people who quit?', { 9: 2 }],
  ['How can we get out of the deal early?', { 10: 2 }],
  ['What does a late delivery cost the vendor?', { 11: 2 }],
  ['Who pays for spare parts under warranty?', { 12: 2 }],
  ['Surface of the Leeds site', { 13: 2 }],
  ['Do we still have a branch in Lyon?', { 14: 2 }],
  ['How are business trips paid?', { 15: 2, 16: 1 }],
  ['By when must I submit my expenses?', { 16: 2 }],
  ['When can I eat?', { 17: 2 }],
  ['What must guests do when they arrive?', { 18: 2 }],
  ['When is the alarm tested?', { 19: 2 }],
  ['Where do we gather when the building burns?', { 20: 2 }],
  ['How do I request vacation?', { 21: 2, 22: 1 }],
  ['What becomes of holidays I did not take?', { 22: 2 }],
  ['Temperature of the server room', { 23: 2 }],
  ['For how long are backups kept?', { 24: 2 }],
  ['Can a buyer send a purchase back?', { 25: 2 }],
  ['When does the Kessler contract end?', { 26: 2 }],
  ['How many price revisions of Kessler are there in a year?', { 27: 2 }],
  ['What is the maximum load of the elevator?', { 28: 2 }],
  ['How does one get a place for the car?', { 29: 2 }],
]

const spec: TableSpec = {
  targets: [{ name: 'default', dimensions: 384, metric: 'cosine', isMulti: false }],
  index: 'flat',
}
const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'atrium-quality-'))
const models = join(import.meta.dirname, '../../../../node_modules/.cache/models')
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

/** Mean nDCG@10 over the questions, computed like trec_eval. */
async function quality(type: SearchType): Promise<number> {
  let sum = 0
  for (const [query, wanted] of questions) {
    const found = await retrieve(table, async () => embed([query]), {
      ...{ type, query, words: readKeywords(query), targets: spec.targets, join: 'minimum', alpha: 0.5 },
      ...{ filter: { and: [] }, limit: 10 },
    })
    const ideal = Object.values(wanted).sort((a, b) => b - a)
    sum += worth(found.map(({ id }) => wanted[Number(id)] ?? 0)) / worth(ideal)
  }
  return sum / questions.length
}

const worth = (gains: readonly number[]) => gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0)

it('keeps hybrid search as good as keyword search on a judged set, and better where only the meaning fits [CX-12]', async () => {
  const [keyword, hybrid] = [await quality('keyword'), await quality('hybrid')]
  expect(hybrid).toBeGreaterThanOrEqual(keyword - 0.005)
  expect(hybrid).toBeGreaterThan(0.85)
  expect(keyword).toBeLessThan(0.85)
}, 120_000)
