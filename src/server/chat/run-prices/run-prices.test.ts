import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import type { StatedPrice } from '#shared/chat/run-prices/run-prices.ts'
import { anApiKey } from '#tests/api-key.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, type ModelRequest, type Move, says, uses } from '#tests/model-server.ts'
import { type Chance, createChance } from '#tests/priced-runs.ts'

const [general = ''] = builtInIds
const MODELS = ['priced', 'other', 'cheap', 'unpriced', 'long']

let chat: Chat
let admin: TestUser
beforeAll(async () => {
  chat = await startChat({
    model: { models: MODELS },
    app: { config: { ATRIUM_LIMIT_REPLIES_PER_USER: '100' } },
  })
  admin = await aUser(chat.app, { role: 'super_admin' })
  const price = { input_price: 3_000, output_price: 15_000 }
  await chat.app.deps.db
    .insertInto('model_overrides')
    .values(
      MODELS.filter((name) => name !== 'unpriced').map((name) => ({
        model_id: `compatible/${name}`,
        ...price,
      })),
    )
    .execute()
})
afterAll(() => chat.close())

type Price = { price: StatedPrice | null; asks_above: number | null }

const aChat = (model: string, assistant: string | null = general, agent = 'multi_turn') =>
  chat.aSession({
    modelName: `compatible/${model}`,
    metadata: { agent_type: agent, ...(assistant && { assistant_id: assistant }) },
  })

async function priceOf(sessionId: string, query = ''): Promise<Price> {
  const { status, body } = await chat.call('GET', `/sessions/${sessionId}/price${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** Sends a message and returns the cost of its reply. */
async function paidFor(sessionId: string, text = 'Go on'): Promise<number> {
  const stream = await chat.ask(sessionId, text)
  await stream.ended
  return stream.view()!.usage!.amount
}

const question = (method: 'GET' | 'PUT', payload?: object, { headers } = admin) =>
  chat.app.http.inject({
    ...{ method, url: '/api/v1/admin/price-question', headers },
    ...(payload ? { payload } : {}),
  })

/** Inserts finished replies. */
async function aHistory(count: number, model: string, assistant: string | null = general): Promise<void> {
  chat.model.always([says('Yes.'), uses(1_000, 100)])
  for (let at = 0; at < count; at++) await paidFor(await aChat(model, assistant))
}

/**
 * Simulates an assistant in use: several questions per chat, occasional tool calls, short and long answers that get longer
 * over time. Each call reads the conversation so far.
 */
function anAssistantAtWork(chance: Chance): void {
  let asked = 0
  let callsLeft = 0
  const answer = ({ messages }: ModelRequest): Move[] => {
    if (messages.at(-1)?.role !== 'tool') {
      callsLeft = chance.often(0.45, 6) - 1
      asked += 1
    }
    const read =
      600 + messages.reduce((sum, { content }) => sum + JSON.stringify(content ?? '').length, 0) / 4
    const length = Math.min(8_000, chance.spread(250, 0.7) * (1 + asked / 200) * (chance.isHit(0.04) ? 8 : 1))
    const used = uses(Math.round(read), Math.round(length))
    if (callsLeft === 0) return [says('word '.repeat(Math.ceil(length / 2))), used]
    callsLeft -= 1
    return [calls('calculator', { a: asked, b: 7, operation: 'multiply' }), used]
  }
  chat.model.always(answer)
}

describe('the price of a reply', () => {
  it('lies within the stated interval for 9 in 10 of 100 replies of an assistant with history [AD-08]', {
    timeout: 600_000,
  }, async () => {
    anAssistantAtWork(createChance(7))
    const inside: boolean[] = []
    const widths: number[] = []
    let sessionId = ''
    for (let at = 0; at < 120; at++) {
      if (at % 5 === 0) sessionId = await aChat('priced')
      const text = `Question ${at} ${'and so on '.repeat(at % 7)}`
      const { price } = await priceOf(sessionId, `?bytes=${text.length}`)
      const paid = await paidFor(sessionId, text)
      if (at < 8) expect(price).toBeNull()
      if (at < 20) continue
      inside.push(price !== null && price.low <= paid && paid <= price.high)
      widths.push(price!.high / price!.low)
      expect(price!.runs).toBe(at)
    }
    const hits = inside.filter(Boolean).length
    const width = widths.toSorted((one, other) => one - other)[50] ?? Infinity
    expect(hits).toBeGreaterThanOrEqual(90)
    expect(width).toBeLessThan(40)
    const span = new Date().toISOString().slice(0, 10)
    const usage = await chat.app.http.inject({
      url: `/api/v1/admin/usage?from=${span}&to=${span}`,
      headers: admin.headers,
    })
    const { prices } = usage.json()
    expect(prices.stated).toBe(112)
    expect(prices.inside - hits).toBeGreaterThanOrEqual(8)
    expect(prices.inside - hits).toBeLessThanOrEqual(12)
  })

  it("is estimated from the assistant's replies, else from those of agent and model, and not from too few", async () => {
    await aHistory(8, 'other', null)
    const ofAgent = await priceOf(await aChat('other'))
    expect(ofAgent.price).toMatchObject({ runs: 8 })
    chat.model.always([says('Yes.'), uses(1_000, 10_000)])
    for (let at = 0; at < 8; at++) await paidFor(await aChat('other'))
    const ofAssistant = await priceOf(await aChat('other'))
    expect(ofAssistant.price).toMatchObject({ runs: 8 })
    expect(ofAssistant.price!.low).toBeGreaterThan(ofAgent.price!.high)
    expect((await priceOf(await aChat('other', null, 'plan_and_act'))).price).toBeNull()
    expect((await priceOf(await aChat('cheap'))).price).toBeNull()
  })

  it('grows with the cost of reading the conversation and the message', async () => {
    await aHistory(8, 'long')
    const sessionId = await aChat('long')
    const short = (await priceOf(sessionId)).price!
    const long = (await priceOf(sessionId, '?bytes=400000')).price!
    // 100,000 tokens at $3,000 per million, limited by the window.
    expect(long.low - short.low).toBeGreaterThan(30)
    await chat.call('POST', `/sessions/${sessionId}/messages`, { content: 'word '.repeat(20_000) })
    expect((await priceOf(sessionId)).price!.low).toBeGreaterThan(short.low * 2)
  })

  it('is unknown for a model without a price, and ignores stopped and failed replies', async () => {
    await aHistory(9, 'unpriced')
    expect((await priceOf(await aChat('unpriced'))).price).toBeNull()
    const { db } = chat.app.deps
    const count = async () => (await db.selectFrom('run_prices').select('run_id').execute()).length
    const before = await count()
    const sessionId = await aChat('cheap')
    chat.model.reply([{ do: 'fail', status: 400, message: 'no' }])
    await (await chat.ask(sessionId, 'Fail')).ended
    chat.model.reply([says('A word'), { do: 'hang' }])
    const stream = await chat.ask(sessionId, 'Stop')
    await stream.until('response_chunk')
    await chat.call('POST', `/sessions/${sessionId}/stop`)
    await stream.ended
    expect(await count()).toBe(before)
  })

  it('is visible to the user and their programs only', async () => {
    const sessionId = await aChat('other')
    const url = `/api/v1/sessions/${sessionId}/price`
    const stranger = await aUser(chat.app)
    const key = await anApiKey(chat.app, chat.user, { scopes: ['chats'] })
    const codeFor = async (headers: Record<string, string>) =>
      (await chat.app.http.inject({ url, headers })).statusCode
    expect(await codeFor(key.headers)).toBe(200)
    expect(await codeFor(stranger.headers)).toBe(403)
    const foreign = await chat.call('GET', `/sessions/${sessionId}/price?after=${crypto.randomUUID()}`)
    expect(foreign.status).toBe(404)
  })
})

describe('the confirmation before an expensive reply', () => {
  it('appears above one dollar until a super admin changes the limit, which is audited', async () => {
    const sessionId = await aChat('other')
    expect((await priceOf(sessionId)).asks_above).toBe(1)
    expect((await question('PUT', { above: 0.25 })).json()).toEqual({ above: 0.25 })
    expect((await priceOf(sessionId)).asks_above).toBe(0.25)
    expect((await question('PUT', { above: null })).json()).toEqual({ above: null })
    expect((await question('GET')).json()).toEqual({ above: null })
    expect((await priceOf(sessionId)).asks_above).toBeNull()
    expect((await lastAudited(chat.app, 'price_question.changed'))?.changes).toEqual([
      { what: 'above', before: '0.25', after: 'never' },
    ])
    expect((await question('PUT', { above: -1 })).statusCode).toBe(422)
    expect((await question('PUT', { above: 5 }, chat.user)).statusCode).toBe(403)
  })
})
