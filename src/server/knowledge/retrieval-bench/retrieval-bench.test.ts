import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { type EmbeddingServer, startEmbeddingServer } from '#tests/embedding-server.ts'

const texts = {
  'lease.txt': 'The rent of the warehouse is due in March.',
  'menu.txt': 'On Tuesday the canteen serves soup with leeks.',
  'bridge.txt': 'The bridge over the river has nine arches.',
}
/** Subjects decide the similarity, so a question may share no word with its passage. */
const subjects = [/rent|landlord/, /soup|lunch/, /bridge|cross the water/]
let gate: Promise<void> = Promise.resolve()
let provider: EmbeddingServer
let app: TestApp
let base: string
let admin: Reader
const chunks: Record<string, string> = {}

async function read(who: Reader, name: string, content: string): Promise<string> {
  const { body } = await who.upload({ name, content })
  expect((await who.processed(body.id)).status).toBe('completed')
  return (await who.call('GET', `/documents/${body.id}/chunks`)).body.chunks[0].id
}

beforeAll(async () => {
  provider = await startEmbeddingServer(async (text) => {
    if (text.startsWith('Slowly')) await gate
    return [...subjects.map((subject) => (subject.test(text) ? 1 : 0)), 0.1]
  })
  app = await startApp({
    config: {
      ...{ ATRIUM_EMBEDDING_MODEL: 'openai/text-embedding-3-small', OPENAI_API_KEY: 'sk-test' },
      OPENAI_BASE_URL: provider.url,
    },
  })
  base = `${await app.listen()}/api/v1`
  admin = await aReader(app, base, await aUser(app, { role: 'super_admin' }))
  for (const [name, content] of Object.entries(texts)) chunks[name] = await read(admin, name, content)
})
afterAll(async () => {
  await app.close()
  provider.close()
})

const expects = (name: string) => [{ chunk_id: chunks[name], grade: 'answers' }]
const aSet = async (name: string) =>
  (await admin.call('POST', '/retrieval-bench/sets', { name })).body.id as string
const add = async (set: string, question: string, expected: object[] = []) =>
  (await admin.call('POST', `/retrieval-bench/sets/${set}/cases`, { question, expected })).body
const runsOf = async (set: string) => (await admin.call('GET', `/retrieval-bench/sets/${set}/runs`)).body.runs
const casesOf = async (set: string, query = '') =>
  (await admin.call('GET', `/retrieval-bench/sets/${set}/cases?${query}`)).body
const begin = (set: string, settings: object[]) =>
  admin.call('POST', `/retrieval-bench/sets/${set}/runs`, { settings })
const ended = async (set: string) => {
  const isOver = async () => (await runsOf(set)).every(({ state }: { state: string }) => state !== 'running')
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true)
  return runsOf(set)
}
const round = (value: number) => Math.round(value * 1e6) / 1e6

describe('retrieval bench', () => {
  it('runs questions with expected passages over several settings, and shows recall, MRR, nDCG, latency and cost [CX-14]', {
    timeout: 60_000,
  }, async () => {
    const set = await aSet('Clauses')
    const said = await add(set, 'When is the rent of the warehouse due?', expects('lease.txt'))
    const meant = await add(set, 'Where can I cross the water?', expects('bridge.txt'))
    await add(set, 'What is open?')
    const { body } = await admin.call('GET', '/retrieval-bench/sets')
    expect(body.sets).toContainEqual({ id: set, name: 'Clauses', cases: 3, judged: 2 })
    const begun = await begin(set, [
      { type: 'keyword' },
      { type: 'hybrid', alpha: 0.7, reranker: 'lexical_reranker', candidates: 10 },
    ])
    expect(begun.status).toBe(202)
    const [words, both] = await ended(set)
    expect(words).toMatchObject({
      ...{ state: 'ready', done: 3, total: 3, model: 'openai/text-embedding-3-small', problem: null },
      setting: { type: 'keyword', alpha: 0.5, reranker: null, candidates: 20 },
      figures: { questions: 2, recall_5: 0.5, recall_10: 0.5, mrr: 0.5, ndcg_10: 0.5, skipped: 0 },
    })
    expect(words.figures.cost_per_1000).toBe(0)
    expect(both).toMatchObject({
      ...{ state: 'ready', figures: { recall_5: 1, recall_10: 1, mrr: 1, ndcg_10: 1 } },
    })
    // A question has about nine tokens; a million tokens cost $0.02.
    expect(both.figures.cost_per_1000).toBeGreaterThan(0.00005)
    expect(both.figures.cost_per_1000).toBeLessThan(0.001)
    for (const { figures } of [words, both]) {
      expect(figures.p50_ms).toBeGreaterThan(0)
      expect(figures.p95_ms).toBeGreaterThanOrEqual(figures.p50_ms)
    }
    const { items, total } = await casesOf(set)
    expect(total).toBe(3)
    expect(items.map(({ ranks }: { ranks: object }) => ranks)).toEqual([
      { [words.id]: 1, [both.id]: 1 },
      { [words.id]: null, [both.id]: 1 },
      { [words.id]: null, [both.id]: null },
    ])
    expect((await casesOf(set, 'q=WATER')).items.map(({ id }: { id: string }) => id)).toEqual([meant.id])

    // Changed expectations change the figures of finished runs.
    const other = { question: said.question, expected: [...expects('menu.txt'), ...expects('lease.txt')] }
    expect((await admin.call('PUT', `/retrieval-bench/cases/${said.id}`, other)).status).toBe(200)
    const [after] = await runsOf(set)
    expect(round(after.figures.recall_5)).toBe(0.25)
    const shown = (await admin.call('GET', `/retrieval-bench/cases/${said.id}`)).body
    expect(
      shown.passages.map(({ document_name, text }: Record<string, string>) => [document_name, text]),
    ).toEqual([
      ['menu.txt', texts['menu.txt']],
      ['lease.txt', texts['lease.txt']],
    ])
  })

  it('reports the progress of a run, and stops a run that is deleted', {
    timeout: 60_000,
  }, async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const set = await aSet('Slow')
    await add(set, 'Where is the bridge?', expects('bridge.txt'))
    await add(set, 'Slowly: where is the soup?', expects('menu.txt'))
    gate = promise
    await begin(set, [{ type: 'vector' }])
    await expect.poll(async () => (await runsOf(set))[0].done, { timeout: 20_000 }).toBe(1)
    const [run] = await runsOf(set)
    expect(run).toMatchObject({ state: 'running', done: 1, total: 2, figures: { questions: 1, mrr: 1 } })
    expect((await admin.call('DELETE', `/retrieval-bench/runs/${run.id}`)).status).toBe(204)
    resolve()
    expect(await runsOf(set)).toEqual([])
    await begin(set, [{ type: 'vector' }])
    expect((await ended(set))[0]).toMatchObject({ state: 'ready', done: 2, figures: { recall_5: 1 } })
    expect((await admin.call('DELETE', `/retrieval-bench/sets/${set}`)).status).toBe(204)
    expect((await admin.call('GET', `/retrieval-bench/sets/${set}/runs`)).status).toBe(404)
  })

  it('refuses sets and settings that cannot be measured, with one sentence', async () => {
    const set = await aSet('Empty')
    expect((await admin.call('POST', '/retrieval-bench/sets', { name: 'Empty' })).status).toBe(409)
    expect((await begin(set, [{ type: 'keyword' }])).body.detail).toContain('no questions yet')
    await add(set, 'Anything?')
    expect((await begin(set, [{ type: 'keyword', reranker: 'nobody' }])).status).toBe(422)
    expect((await begin(set, [])).status).toBe(422)
    expect((await begin(set, [{ type: 'keyword', candidates: 5_000 }])).status).toBe(422)
    const gone = crypto.randomUUID()
    for (const [method, path] of [
      ['GET', `cases/${gone}`],
      ['DELETE', `cases/${gone}`],
      ['DELETE', `runs/${gone}`],
      ['DELETE', `sets/${gone}`],
    ] as const)
      expect((await admin.call(method, `/retrieval-bench/${path}`)).status).toBe(404)
    const person = await aReader(app, base)
    expect((await person.call('GET', '/retrieval-bench/sets')).status).toBe(403)
    expect((await person.call('GET', '/retrieval-bench/feedback')).status).toBe(403)
  })
})

describe('feedback', () => {
  /** Creates a reply that cites a passage of its user, and the user's feedback on it. */
  async function judged(who: Reader, chunk: string, judgement: object) {
    const { id, messageIds } = await aSession(app, who.user, { turns: 1 })
    const [question = '', reply = ''] = messageIds
    const { db } = app.deps
    const say = (message: string, content: string) =>
      db.updateTable('messages').set({ content }).where('id', '=', message).execute()
    await say(question, 'When does the landlord want his money?')
    await say(reply, `In March.<citation chunk="${chunk}">[1]</citation>`)
    const path = `/sessions/${id}/messages/${reply}/feedback`
    expect((await who.call('PUT', path, judgement)).status).toBe(200)
    return { message_id: reply, user_id: who.user.id, path }
  }
  const shown = async () => (await admin.call('GET', '/retrieval-bench/feedback')).body.items

  it('is stored with the passages of its reply, and becomes a bench question that is searched with its author’s rights [CX-20]', {
    timeout: 60_000,
  }, async () => {
    const ada = await aReader(app, base)
    const own = await read(ada, 'own.txt', 'Our landlord wants the rent in March.')
    const up = await judged(ada, own, { rating: 'up', is_shown: true })
    const down = await judged(ada, own, { rating: 'down', reason: 'wrong', is_shown: true })
    const hidden = await judged(ada, own, { rating: 'up' })
    const stored = await app.deps.db
      .selectFrom('feedback')
      .select('chunk_ids')
      .where('message_id', '=', up.message_id)
      .executeTakeFirst()
    expect(stored).toEqual({ chunk_ids: [own] })
    const about = { question: 'When does the landlord want his money?', passages: 1, comment: null }
    expect(await shown()).toEqual([
      expect.objectContaining({ message_id: down.message_id, rating: 'down', reason: 'wrong', ...about }),
      expect.objectContaining({ message_id: up.message_id, rating: 'up', ...about }),
    ])
    const set = await aSet('From people')
    const take = ({ message_id, user_id }: typeof up) =>
      admin.call('POST', `/retrieval-bench/sets/${set}/feedback`, { message_id, user_id })
    expect((await take(up)).body).toMatchObject({
      ...{ question: about.question, origin: { rating: 'up', reason: null } },
      expected: [{ chunk_id: own, grade: 'answers' }],
    })
    const [taken] = (await casesOf(set)).items
    const words = async (id: string) =>
      (await admin.call('GET', `/retrieval-bench/cases/${id}`)).body.passages[0].text
    expect(await words(taken.id)).toContain('Our landlord')
    // Naming a passage that no one shared does not reveal its text.
    const typed = await add(set, 'What does she have?', [{ chunk_id: own, grade: 'helps' }])
    expect(await words(typed.id)).toBeNull()
    expect((await admin.call('DELETE', `/retrieval-bench/cases/${typed.id}`)).status).toBe(204)
    // An unhelpful reply did not cite the expected passages.
    expect((await take(down)).body).toMatchObject({ expected: [], origin: { reason: 'wrong' } })
    expect((await take(hidden)).status).toBe(404)
    expect(await shown()).toEqual([])
    await begin(set, [{ type: 'vector' }])
    // Only the author may read the passage: the search runs with the author's rights.
    expect((await ended(set))[0]).toMatchObject({
      state: 'ready',
      figures: { questions: 1, recall_5: 1, mrr: 1 },
    })
    const { body } = await admin.call('POST', '/search_and_rerank/search_and_rerank', {
      query: about.question,
    })
    expect(body.objects.map(({ id }: { id: string }) => id)).not.toContain(own)
  })

  it('disappears from the list when its author hides it again', async () => {
    const eve = await aReader(app, base)
    const given = await judged(eve, crypto.randomUUID(), { rating: 'down', is_shown: true })
    expect(await shown()).toHaveLength(1)
    await eve.call('PUT', given.path, { rating: 'down' })
    expect(await shown()).toEqual([])
  })
})
