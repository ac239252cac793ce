import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { anApiKey } from '#tests/api-key.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { closeToAll, openToAll } from '#tests/grants.ts'
import { calls, cuts, fails, type ModelServer, says, startModelServer, waits } from '#tests/model-server.ts'
import { goBack, resume } from '#tests/replays.ts'
import { readRun } from '#tests/runs.ts'
import { takeRoom } from '../../../models/models/rules/rules-store.ts'

const [asked, second, third] = ['compatible/scripted', 'spare/spare', 'spare/last']
let chat: Chat
let spare: ModelServer
let admin: TestUser
let spareId: string

beforeAll(async () => {
  spare = await startModelServer({ models: ['spare', 'last'] })
  chat = await startChat()
  admin = await aUser(chat.app, { role: 'super_admin' })
  const made = await send('POST', '/model-connections', {
    ...{ name: 'Spare', kind: 'compatible', base_url: spare.url },
  })
  spareId = made.body.id
  await send('PATCH', `/model-connections/${spareId}`, {
    models: { [second]: { input_price: 2, output_price: 4 } },
  })
  await standIn(asked, second)
})
afterEach(() => {
  chat.model.forget()
  spare.forget()
})
afterAll(async () => {
  await chat.close()
  await spare.close()
})

async function send(method: 'POST' | 'PATCH' | 'PUT' | 'GET', url: string, payload?: object) {
  const { headers } = admin
  const answer = await chat.app.http.inject({ method, url: `/api/v1${url}`, headers, payload })
  return { status: answer.statusCode, body: answer.json() }
}
const standIn = (model: string, fallback: string | null) => {
  const id = model.startsWith('spare/') ? spareId : 'environment-compatible'
  return send('PATCH', `/model-connections/${id}`, { models: { [model]: { fallback } } })
}

const refused = fails(401, 'no such key')
async function ask(...moves: Parameters<Chat['model']['reply']>) {
  chat.model.reply(...moves)
  const stream = await chat.ask(await chat.aSession(), 'Go')
  await stream.ended
  return { stream, ...(await readRun(chat.app, stream.view()!.run_id)) }
}
const linesOf = (blocks: Block[]) => blocks.filter(({ type }) => type === 'fallback')
const line = {
  ...{ type: 'fallback', reason: 'unauthorized' },
  ...{ asked: { id: asked, name: 'scripted' }, answered: { id: second, name: 'spare' } },
}

describe('a fallback model', () => {
  it('answers in the same step when the provider refuses, and is recorded, shown and charged [AD-17]', async () => {
    spare.reply([says('From the spare.')])
    const { stream, reply, run, records } = await ask([refused])
    expect(reply).toMatchObject({ status: 'completed', content: 'From the spare.' })
    expect(linesOf(stream.view()!.blocks)).toMatchObject([line])
    expect(linesOf(reply.blocks)).toMatchObject([line])
    const step = records.find(({ kind, key }) => kind === 'step' && key === 'model:1')
    const { asked: from, answered, reason } = line
    expect(step?.value).toMatchObject({
      value: { fallback: { asked: from, answered, reason } },
    })
    const booked = await chat.app.deps.db
      .selectFrom('ledger_entries')
      .select(['model_name', 'kind', 'amount'])
      .where('run_id', '=', run.id)
      .execute()
    expect(booked).toEqual([{ model_name: second, kind: 'usage', amount: -0.00028 }])
  })

  it.each<[string, Parameters<typeof fails>, string]>([
    ['has a problem', [503, 'down', 0], 'overloaded'],
    ['limits requests', [429, 'slow down', 0], 'rate_limited'],
    ['has nothing left of a quota', [429, 'You exceeded your current quota'], 'spent'],
    ['wants to be paid', [402, 'Insufficient balance'], 'spent'],
  ])('answers when the provider %s', async (_, failure, reason) => {
    const again = [fails(...failure)]
    const { reply } = await ask(again, again, again)
    expect(linesOf(reply.blocks)).toMatchObject([{ reason }])
    expect(reply.status).toBe('completed')
  })

  it('answers when an answer breaks off before its first text, and not after', async () => {
    const early = await ask([cuts()], [cuts()], [cuts()])
    expect(linesOf(early.reply.blocks)).toMatchObject([{ reason: 'interrupted' }])
    const late = await ask([says('It rains'), cuts()])
    expect(late.reply).toMatchObject({ status: 'error', content: 'It rains' })
    expect(linesOf(late.reply.blocks)).toEqual([])
  })

  it('is not used for errors that every model would return', async () => {
    const before = spare.requests.length
    const { reply } = await ask([fails(400, 'messages: wrong')])
    expect(reply.blocks.at(-1)).toMatchObject({ error: expect.stringContaining('messages: wrong') })
    const long = await ask([fails(413, 'too long')])
    expect(long.reply.status).toBe('completed')
    expect(spare.requests.length).toBe(before)
  })

  it('invalidates the stated cost of the original model', async () => {
    const price = (dollars: number | null) =>
      send('PATCH', '/model-connections/environment-compatible', {
        models: { [asked]: { input_price: dollars, output_price: dollars } },
      })
    await price(3)
    const kept = async (id: string) =>
      (await chat.app.deps.db.selectFrom('run_prices').select('paid').where('run_id', '=', id).execute())
        .length
    const own = await ask([says('By itself.')])
    spare.reply([says('From the spare.')])
    const other = await ask([refused])
    expect([await kept(own.run.id), await kept(other.run.id)]).toEqual([1, 0])
    await price(null)
  })

  it('stays in use for the rest of the run and receives no thoughts of the other model', async () => {
    const sum = calls('calculator', { a: 20, operation: 'add', b: 22 })
    spare.reply([sum], [says('42')])
    const before = chat.model.requests.length
    const { reply } = await ask([refused])
    expect(reply).toMatchObject({ status: 'completed', content: '42' })
    expect(chat.model.requests.length).toBe(before + 1)
    expect(linesOf(reply.blocks)).toHaveLength(1)
  })

  it('may have its own fallback; if all fail, the first failure is reported', async () => {
    await standIn(second, third)
    spare.reply([refused], [says('The last.')])
    const { reply } = await ask([refused])
    expect(reply.content).toBe('The last.')
    expect(linesOf(reply.blocks)).toMatchObject([{ ...line, answered: { id: third, name: 'last' } }])
    spare.reply([refused], [fails(400, 'of the last')])
    const none = await ask([fails(401, 'of the first')])
    expect(none.reply.blocks.at(-1)).toMatchObject({ error: expect.stringContaining('of the first') })
    expect(linesOf(none.reply.blocks)).toEqual([])
  })

  it('is skipped when the user may not use it', async () => {
    await closeToAll(chat.app, 'model', second)
    spare.reply([says('The last.')])
    const { reply } = await ask([refused])
    expect(linesOf(reply.blocks)).toMatchObject([{ answered: { id: third } }])
    await openToAll(chat.app, 'model', second)
    await standIn(second, null)
  })

  it('may not form a cycle or name an unknown model', async () => {
    expect((await standIn(second, third)).status).toBe(200)
    for (const [model, fallback] of [
      [third, asked],
      [second, second],
      [third, second],
    ] as const) {
      const { status, body } = await standIn(model, fallback)
      expect([status, body.detail]).toEqual([422, expect.stringContaining('is a circle')])
    }
    expect((await standIn(third, 'spare/nothing')).status).toBe(422)
    await standIn(second, null)
  })

  it('stays in use on another process, even if the first provider has recovered [AD-17]', async () => {
    const { run, records } = await ask([refused])
    const kept = records.findIndex(({ kind, key }) => kind === 'started' && key === 'model:1#1') + 1
    expect(kept).toBeGreaterThan(0)
    await goBack(chat, run.id, kept)
    const before = chat.model.requests.length
    spare.reply([says('Again from the spare.')])
    const { reply } = await resume(chat, run.id)
    expect(reply).toMatchObject({ status: 'completed', content: 'Again from the spare.' })
    expect(linesOf(reply.blocks)).toMatchObject([line])
    expect(chat.model.requests.length).toBe(before)
  })

  it('also answers programs', async () => {
    spare.reply([says('To a program.')])
    chat.model.reply([refused])
    const { headers } = await anApiKey(chat.app, chat.user)
    const answer = await fetch(`${chat.url.replace('/api/v1', '')}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ model: asked, messages: [{ role: 'user', content: 'Go' }] }),
    })
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'To a program.' } }] })
  })
})

describe('a rate limit per minute', () => {
  it('is shown while a call waits for it, and the run can be stopped meanwhile [AD-17]', async () => {
    await send('PATCH', '/model-connections/environment-compatible', { requests_per_minute: 1 })
    await ask([says('One.')])
    const gate = aGate()
    chat.model.always([waits(gate.opened)])
    const id = await chat.aSession()
    const stream = await chat.ask(id, 'Go')
    await stream.until('model_waiting')
    await expect.poll(() => stream.view()?.waiting).toEqual({ of: 'requests', per_minute: 1 })
    expect((await chat.call('POST', `/sessions/${id}/stop`)).status).toBe(200)
    await stream.ended
    expect(stream.view()).toMatchObject({ stopped: true })
    expect(stream.view()).not.toHaveProperty('waiting')
    gate.open()
  })

  it('lets the fallback answer when no slot is free in time', async () => {
    // Another call waits for the next slot, so the one after it is more than a minute away.
    expect((await takeRoom(chat.app.deps.db, 'compatible', 0, 60_000)).request).not.toBeNull()
    const { reply } = await ask()
    expect(linesOf(reply.blocks)).toMatchObject([{ reason: 'no_room' }])
    await send('PATCH', '/model-connections/environment-compatible', { requests_per_minute: null })
  })
})
