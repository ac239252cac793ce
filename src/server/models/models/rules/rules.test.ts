import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { fails, type ModelServer, says, startModelServer } from '#tests/model-server.ts'
import type { ModelPart } from '../port.ts'
import { takeRoom } from './rules-store.ts'

const [one, two, three] = [
  'sk-first-key-of-all-1111',
  'sk-second-key-of-all-2222',
  'sk-third-key-of-all-3333',
]
let app: TestApp
let other: TestApp
let model: ModelServer
let admin: TestUser
let id: string

beforeAll(async () => {
  model = await startModelServer()
  const config = { ATRIUM_SECRET_KEY: 'of-both-processes-alike' }
  app = await startApp({ config })
  other = await startApp({ address: app.address, config })
  admin = await aUser(app, { role: 'super_admin' })
  const made = await send('POST', '/model-connections', {
    ...{ name: 'Pool', kind: 'compatible', base_url: model.url, api_key: one },
  })
  id = made.body.id
})
afterAll(async () => {
  await other.close()
  await app.close()
  await model.close()
})

async function send(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) {
  const response = await app.http.inject({ method, url: `/api/v1${url}`, headers: admin.headers, payload })
  return { status: response.statusCode, body: response.json(), text: response.body }
}
const change = (payload: object) => send('PATCH', `/model-connections/${id}`, payload)
const keys = async () => {
  const { body, text } = await send('GET', '/model-connections')
  for (const key of [one, two, three]) expect(text).not.toContain(key)
  return body.find((found: { id: string }) => found.id === id).keys as {
    id: string
    hint: string
    state: string
    until: string | null
  }[]
}
const states = async () => (await keys()).map(({ hint, state }) => [hint, state])
const seconds = (until: string | null) => (Date.parse(until ?? '') - Date.now()) / 1000

/** Makes one call; returns its parts and the keys it was sent with. */
async function ask(from = app, signal = AbortSignal.timeout(20_000)) {
  const parts: ModelPart[] = []
  const before = model.heads.length
  const call = { messages: [], tools: [], tool_choice: 'auto' as const }
  const error = await from.deps.models
    .stream('pool/scripted', call, signal, (part) => void parts.push(part))
    .then(
      () => null,
      (thrown: unknown) => thrown,
    )
  const asked = model.heads.slice(before).filter((head) => head['content-length'] !== undefined)
  return { parts, error, with: asked.map((head) => head.authorization?.slice(-4)) }
}

describe('keys in a pool', () => {
  it('are added, shown by their last four characters, and removed one by one', async () => {
    const added = await change({ add_keys: [two, three] })
    expect(added.status).toBe(200)
    expect(await states()).toEqual([
      ['1111', 'working'],
      ['2222', 'working'],
      ['3333', 'working'],
    ])
    const rows = await app.deps.db.selectFrom('model_keys').select('api_key_sealed').execute()
    for (const { api_key_sealed } of rows) expect(api_key_sealed).not.toMatch(/sk-/)
    expect((await change({ add_keys: [two] })).status).toBe(422)
    const third = (await keys())[2]
    expect((await change({ remove_keys: [third?.id] })).status).toBe(200)
    expect(await states()).toEqual([
      ['1111', 'working'],
      ['2222', 'working'],
    ])
    expect((await change({ remove_keys: [third?.id] })).status).toBe(404)
  })

  it('take turns [AD-17]', async () => {
    const used = [await ask(), await ask(), await ask(), await ask()].map((asked) => asked.with[0])
    expect(used.filter((key) => key === '1111')).toHaveLength(2)
    expect(used[0]).toBe(used[2])
    expect(used[1]).toBe(used[3])
  })

  it('are skipped for as long as the provider states, while another key answers immediately [AD-17]', async () => {
    model.reply([fails(429, 'slow down', 300)], [says('with the other')])
    const { parts, with: used } = await ask()
    expect(parts[0]).toEqual({ type: 'text', text: 'with the other' })
    expect(new Set(used).size).toBe(2)
    const aside = (await keys()).find(({ state }) => state === 'set_aside')
    expect(aside?.hint).toBe(used[0])
    expect(seconds(aside?.until ?? null)).toBeGreaterThan(200)
    // Neither this process nor another one uses the skipped key.
    const later = [await ask(), await ask(), await ask(other), await ask(other)]
    expect(later.flatMap((asked) => asked.with)).toEqual([used[1], used[1], used[1], used[1]])
  })

  it('are shown as refused; if all are skipped, the error is that of the provider', async () => {
    model.reply([fails(401, 'no such key')], [fails(401, 'no such key')])
    const { error, with: used } = await ask()
    expect(error).toMatchObject({ kind: 'unauthorized' })
    expect(used).toHaveLength(1)
    expect((await keys()).map(({ state }) => state).sort()).toEqual(['refused', 'set_aside'])
    model.forget()
  })

  it('are reactivated by a successful test', async () => {
    expect((await send('POST', `/model-connections/${id}/test`)).body.ok).toBe(true)
    expect((await keys()).map(({ state }) => state)).toEqual(['working', 'working'])
  })
})

describe('limits per minute', () => {
  it('apply across all processes; a request beyond them waits and says so [AD-17]', async () => {
    await change({ requests_per_minute: 3 })
    const answers = await Promise.all([ask(), ask(other), ask()])
    expect(answers.map(({ error }) => error)).toEqual([null, null, null])
    const gone = new AbortController()
    const fourth = ask(other, gone.signal)
    await expect.poll(() => app.deps.db.selectFrom('model_requests').select('id').execute()).toHaveLength(4)
    gone.abort(new Error('stopped'))
    const { parts, error, with: used } = await fourth
    expect(parts).toEqual([{ type: 'waiting', limit: { of: 'requests', per_minute: 3 } }])
    expect([error, used]).toEqual([gone.signal.reason, []])
    // An aborted request releases its place.
    await expect.poll(() => app.deps.db.selectFrom('model_requests').select('id').execute()).toHaveLength(3)
  })

  it('start a waiting request a minute after the requests before it', async () => {
    await age('59.5 seconds')
    const { parts, error } = await ask()
    expect(error).toBeNull()
    expect(parts.slice(0, 2)).toEqual([
      { type: 'waiting', limit: { of: 'requests', per_minute: 3 } },
      { type: 'waiting', limit: null },
    ])
  })

  it('fail a request that would wait more than a minute, without calling the provider', async () => {
    await change({ requests_per_minute: 1 })
    await app.deps.db.deleteFrom('model_requests').execute()
    await ask()
    expect((await takeRoom(app.deps.db, 'pool', 0, 60_000)).request).not.toBeNull()
    const { error, with: used } = await ask()
    expect(error).toMatchObject({ kind: 'no_room' })
    expect(used).toEqual([])
  })

  it('count the tokens that the provider reports with its answer', async () => {
    await change({ requests_per_minute: null, tokens_per_minute: 130 })
    await app.deps.db.deleteFrom('model_requests').execute()
    await ask()
    const taken = () => app.deps.db.selectFrom('model_requests').select('tokens').execute()
    expect(await taken()).toEqual([{ tokens: 120 }])
    expect(await takeRoom(app.deps.db, 'pool', 10, 60_000)).toMatchObject({ wait_ms: 0, reached: null })
    const room = await takeRoom(app.deps.db, 'pool', 11, 60_000)
    expect(room).toMatchObject({ reached: 'tokens' })
    expect(room.wait_ms).toBeGreaterThan(50_000)
    // A later request never overtakes a waiting one.
    expect((await takeRoom(app.deps.db, 'pool', 0, 60_000)).wait_ms).toBeGreaterThan(50_000)
  })

  it('never start more requests in any minute than they allow [AD-17]', async () => {
    await change({ requests_per_minute: 5, tokens_per_minute: null })
    await app.deps.db.deleteFrom('model_requests').execute()
    const rooms = await Promise.all(
      Array.from({ length: 15 }, (_, n) => takeRoom((n % 2 ? app : other).deps.db, 'pool', 0, 600_000)),
    )
    expect(rooms.every(({ request }) => request !== null)).toBe(true)
    const rows = await app.deps.db.selectFrom('model_requests').select('begins').orderBy('begins').execute()
    const begins = rows.map((row) => row.begins.getTime())
    for (const [at, begin] of begins.entries())
      if (at >= 5) expect(begin - (begins[at - 5] ?? 0)).toBeGreaterThanOrEqual(59_999)
  })

  it('can be removed; requests are then no longer counted', async () => {
    await change({ requests_per_minute: null })
    await app.deps.db.deleteFrom('model_requests').execute()
    await ask()
    expect(await app.deps.db.selectFrom('model_requests').select('id').execute()).toEqual([])
    const { body } = await send('GET', '/model-connections')
    expect(body[0]).toMatchObject({ requests_per_minute: null, tokens_per_minute: null })
    expect((await change({ requests_per_minute: 0 })).status).toBe(422)
  })
})

/** Moves all counted requests into the past. */
async function age(by: string): Promise<void> {
  const { sql } = await import('kysely')
  await sql`update model_requests set begins = begins - ${by}::interval`.execute(app.deps.db)
}
