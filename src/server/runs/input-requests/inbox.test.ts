import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxPage } from '#shared/runs/input-requests/input-requests.ts'
import { playAgent } from '#tests/asking.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { calls, type Move, says, waits } from '#tests/model-server.ts'
import { atRest } from '#tests/runs.ts'

const inboxOf = async (chat: Chat, query = ''): Promise<InboxPage> =>
  (await chat.call('GET', `/input-requests?${query}`)).body

describe('the inbox', () => {
  let chat: Chat
  beforeAll(async () => {
    chat = await startChat()
  })
  afterAll(() => chat.close())

  async function waiting(prompt: string, assistant_id?: string, seconds?: number) {
    playAgent([chat.app], async (run) => {
      await run.ask('waiting_for_input', { prompt, input_types: ['text'], ...(seconds && { seconds }) })
    })
    const id = await chat.aSession({ metadata: assistant_id ? { assistant_id } : {} })
    await (await chat.ask(id, 'Go')).ended
    return id
  }
  const promptsOf = ({ items }: InboxPage) =>
    items.map(({ request }) => (request.type === 'input_required' ? request.prompt : request.type))

  it('pages through requests of all assistants or one, in every state [SV-92, RT-31]', async () => {
    const made = await chat.call('POST', '/assistants', { name: 'CSRD analyst' })
    const gone = await chat.call('POST', '/assistants', { name: 'Data desk' })
    const [csrd, desk]: [string, string] = [made.body.id, gone.body.id]
    await chat.call('DELETE', `/assistants/${desk}`)
    await waiting('a', csrd)
    const plain = await waiting('b')
    await waiting('c', csrd, 0.05)
    const last = await waiting('d', csrd)
    await waiting('e', desk)
    while ((await inboxOf(chat, 'status=expired')).total === 0) await new Promise((r) => setTimeout(r, 30))
    const give = (id: string) =>
      chat.call('POST', `/sessions/${id}/provide-input`, {
        ...{ checkpoint_name: 'waiting_for_input', input: 'x', input_type: 'text' },
      })
    await give(last)

    const all = await inboxOf(chat)
    expect(promptsOf(all)).toEqual(['a', 'b', 'e'])
    expect(all.items.map(({ assistant_name }) => assistant_name)).toEqual(['CSRD analyst', null, null])
    expect(all.assistants).toHaveLength(3)
    expect(all.assistants).toEqual(
      expect.arrayContaining([
        { id: csrd, name: 'CSRD analyst', count: 1 },
        { id: desk, name: null, count: 1 },
        { id: null, name: null, count: 1 },
      ]),
    )
    expect(promptsOf(await inboxOf(chat, 'limit=1&skip=1'))).toEqual(['b'])
    expect((await inboxOf(chat, 'limit=1&skip=1')).total).toBe(3)

    const one = await inboxOf(chat, `assistant_id=${csrd}`)
    expect([promptsOf(one), one.total, one.assistants.length]).toEqual([['a'], 1, 3])
    expect(promptsOf(await inboxOf(chat, 'assistant_id=none'))).toEqual(['b'])
    expect(promptsOf(await inboxOf(chat, `status=answered&assistant_id=${csrd}`))).toEqual(['d'])
    expect(promptsOf(await inboxOf(chat, 'status=answered&assistant_id=none'))).toEqual([])
    const other = await chat.call('POST', '/assistants', { name: 'Bail & foncier' })
    expect(await inboxOf(chat, `status=answered&assistant_id=${other.body.id}`)).toMatchObject({
      ...{ items: [], total: 0 },
      assistants: [
        { id: csrd, count: 1 },
        { id: other.body.id, name: 'Bail & foncier', count: 0 },
      ],
    })
    expect(promptsOf(await inboxOf(chat, `status=expired&assistant_id=${csrd}`))).toEqual(['c'])
    expect(await inboxOf(chat, 'assistant_id=nobody')).toMatchObject({ items: [], total: 0 })
    await give(plain)
    expect(promptsOf(await inboxOf(chat, 'status=answered'))).toEqual(['b', 'd'])
  })
})

describe('a run paused because the balance is used up', () => {
  let paid: Chat
  beforeAll(async () => {
    paid = await startChat({ app: { config: { ATRIUM_BILLING: 'on' } } })
  })
  afterAll(() => paid.close())

  let balance = 0
  async function setBalance(to: number) {
    const entry = { user_id: paid.user.id, kind: 'top_up' as const, amount: to - balance }
    await paid.app.deps.db.insertInto('ledger_entries').values(entry).execute()
    balance = to
  }

  /** Starts a run whose balance covers everything up to the last of these answers. */
  async function unpaid(agent_type: string, ...answers: Move[][]) {
    const id = await paid.aSession({ metadata: { agent_type } })
    const gate = aGate()
    await setBalance(100)
    const last = [...(answers.pop() ?? []), waits(gate.opened)]
    const before = paid.model.requests.length
    paid.model.reply(...answers, last)
    const stream = await paid.ask(id, 'Go')
    while (paid.model.requests.length - before <= answers.length) await new Promise((r) => setTimeout(r, 10))
    await setBalance(-100)
    gate.open()
    await stream.ended
    const runId = stream.view()!.run_id
    await atRest(paid.app.deps.engine, runId)
    return { id, runId, block: stream.view()?.blocks.at(-1) }
  }
  const plan = [says(JSON.stringify({ steps: ['One', 'Two'] }))]
  const multiply = { a: 6, b: 7, operation: 'multiply' }

  it('is listed with its next step until a top-up resumes it [RT-31, CK-21, G-31]', async () => {
    const { id, runId, block } = await unpaid('plan_and_act', plan, [says('First.')])
    expect(block).toMatchObject({ type: 'paused', reason: 'balance', at_step: { number: 2, begun: false } })
    const { items, total } = await inboxOf(paid)
    expect(total).toBe(1)
    expect(items).toMatchObject([
      {
        ...{ run_id: runId, session_id: id, session_title: 'Go', state: 'waiting', answered_at: null },
        request: { type: 'paused', reason: 'balance', at_step: { number: 2, begun: false } },
      },
    ])
    expect((await inboxOf(paid, 'status=answered')).total).toBe(0)
    await setBalance(100)
    const statusOf = async () => (await paid.call('GET', `/sessions/${id}`)).body.status
    while ((await statusOf()) !== 'COMPLETED') await new Promise((r) => setTimeout(r, 30))
    expect((await inboxOf(paid)).total).toBe(0)
  })

  it('says whether its step is partly done, and disappears when the run is stopped [RT-31, CK-21]', async () => {
    const stop = (id: string) => paid.call('POST', `/sessions/${id}/stop`)
    const planned = await unpaid('plan_and_act', plan, [calls('calculator', multiply)])
    expect((await inboxOf(paid)).items[0]?.request).toMatchObject({ at_step: { number: 1, begun: true } })
    await stop(planned.id)
    const plain = await unpaid('multi_turn', [calls('calculator', multiply)])
    const { items } = await inboxOf(paid)
    expect(items.map(({ session_id }) => session_id)).toEqual([plain.id])
    expect(items[0]?.request).not.toHaveProperty('at_step')
    await stop(plain.id)
    expect((await inboxOf(paid)).total).toBe(0)
  })
})
