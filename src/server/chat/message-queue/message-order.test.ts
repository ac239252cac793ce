import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { says, waits } from '#tests/model-server.ts'
import { patiently } from '#tests/runs.ts'
import { requestMissed } from './start-next.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ model: { models: ['scripted', 'other'] } })
  chat.model.always(() => [says('Yes.')])
})
afterAll(() => chat.close())

type Shown = { role: string; content: string }
const queue = (id: string, content: string) =>
  chat.call('POST', `/sessions/${id}/queue`, { content, client_id: crypto.randomUUID() })
const read = async (id: string) => (await chat.call('GET', `/sessions/${id}/queue`)).body
const branch = async (id: string) =>
  (await chat.call('GET', `/sessions/${id}/active-branch`)).body.active_branch
const questions = async (id: string) =>
  (await branch(id)).filter(({ role }: Shown) => role === 'user').map(({ content }: Shown) => content)
const waiting = async (id: string) => (await read(id)).items.map(({ content }: Shown) => content)

describe('messages that wait for their turn', () => {
  const busy = { status: 409, body: { code: 'session_busy' } }

  /** Returns a chat with a reply and a waiting message that no job starts yet. */
  async function aChatInTurn(options: Record<string, unknown> = {}) {
    const id = await chat.aSession({ metadata: { agent_type: 'plan_and_act' } })
    await (await chat.ask(id, 'Before')).ended
    const [question, reply] = await branch(id)
    const client_id = crypto.randomUUID()
    const { id: queuedId } = await chat.app.deps.db
      .insertInto('queued_messages')
      .values({
        ...{
          session_id: id,
          user_id: chat.user.id,
          way: 'queue',
          client_id,
          content: 'In turn',
          position: 1,
        },
        options: JSON.stringify(options),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, question, reply, client_id, queuedId }
  }
  const post = (id: string, body: object) => chat.call('POST', `/sessions/${id}/messages`, body)
  /** Sends a request for a stream. Returns its refusal, or null once it streams. */
  async function refusalOf(path: string, body: object) {
    const answer = await fetch(chat.url + path, {
      method: 'POST',
      headers: { ...chat.user.headers, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
    })
    if (answer.headers.get('content-type')?.includes('json'))
      return { status: answer.status, body: await answer.json() }
    await answer.body?.cancel()
    return null
  }

  it('are overtaken by no other request', async () => {
    const { id, question, reply } = await aChatInTurn()
    const path = `/sessions/${id}/messages`
    const content = 'Overtake'
    const [checkpoint] = reply.blocks.filter(({ type }: { type: string }) => type === 'checkpoint')
    const point = { checkpoint_name: checkpoint.checkpoint_name, message_id: reply.id }
    const compared = ['compatible/scripted', 'compatible/other']
    expect(await refusalOf(path, { content })).toMatchObject(busy)
    expect(await post(id, { content })).toMatchObject(busy)
    expect(await chat.call('POST', '/messages', { content, chat_session_id: id })).toMatchObject(busy)
    expect(await refusalOf(`${path}/${reply.id}/regenerate`, {})).toMatchObject(busy)
    expect(await refusalOf(`${path}/${question.id}/edit-and-regenerate`, { content })).toMatchObject(busy)
    expect(await refusalOf(`/sessions/${id}/navigate-to-checkpoint`, point)).toMatchObject(busy)
    const comparison = { content, client_id: 'compare', model_names: compared }
    expect(await chat.call('POST', `/sessions/${id}/comparisons`, comparison)).toMatchObject(busy)
    await queue(id, 'Behind')
    await expect.poll(() => questions(id), patiently).toEqual(['Before', 'In turn', 'Behind'])
  })

  it('may be sent by the browser that repeats the same request', async () => {
    const { id, client_id } = await aChatInTurn()
    const stream = await chat.ask(id, { content: 'In turn', client_id })
    await stream.ended
    await expect.poll(() => waiting(id), patiently).toEqual([])
    expect(await questions(id)).toEqual(['Before', 'In turn'])
  })

  it('may be overtaken while they are held', async () => {
    const { id, queuedId } = await aChatInTurn()
    const change = chat.app.deps.db.updateTable('queued_messages').where('id', '=', queuedId)
    await change.set({ failure: 'not_available' }).execute()
    await (await chat.ask(id, 'Direct')).ended
    expect(await questions(id)).toEqual(['Before', 'Direct'])
    expect(await waiting(id)).toEqual(['In turn'])
  })

  it('start when the refused one before them is withdrawn', async () => {
    const { id, queuedId } = await aChatInTurn({ mentions: [{ kind: 'tool', id: 'gone', name: 'Gone' }] })
    await queue(id, 'Second')
    await expect.poll(() => read(id), patiently).toMatchObject({ held_by: 'refused' })
    await chat.call('DELETE', `/sessions/${id}/queue/${queuedId}`)
    await expect.poll(() => questions(id), patiently).toEqual(['Before', 'Second'])
  })

  it.each([
    ['may not sign in', new Date(), 'account_deactivated'],
    ['may not write in the chat', null, 'forbidden'],
  ])('are held when their author %s any more, and can be withdrawn', async (_, deactivated_at, failure) => {
    const { id, queuedId } = await aChatInTurn()
    const member = await aUser(chat.app)
    const { db } = chat.app.deps
    await db.updateTable('users').set({ deactivated_at }).where('id', '=', member.id).execute()
    await db.updateTable('queued_messages').set({ user_id: member.id }).where('id', '=', queuedId).execute()
    await queue(id, 'Mine')
    await expect
      .poll(() => read(id), patiently)
      .toMatchObject({ held_by: 'refused', items: [{ failure }, {}] })
    expect((await chat.call('DELETE', `/sessions/${id}/queue/${queuedId}`)).status).toBe(200)
    await expect.poll(() => questions(id), patiently).toEqual(['Before', 'Mine'])
  })

  it('start when other replies of the person have ended, beyond their limit', async () => {
    const busy = await startChat({ app: { config: { ATRIUM_LIMIT_REPLIES_PER_USER: '1' } } })
    const gate = aGate()
    busy.model.reply([says('working '), waits(gate.opened), says('done')])
    const stream = await busy.ask(await busy.aSession(), 'First')
    await stream.until('response_chunk')
    const id = await busy.aSession()
    await busy.call('POST', `/sessions/${id}/queue`, { content: 'Second', client_id: 'second' })
    const { db } = busy.app.deps
    const attempts = sql<{ attempts: number }>`
      select attempts from graphile_worker.jobs where key = ${`start-queued:${id}`}`
    await expect
      .poll(async () => (await attempts.execute(db)).rows[0]?.attempts, patiently)
      .toBeGreaterThan(0)
    const { body } = await busy.call('GET', `/sessions/${id}/queue`)
    expect(body).toMatchObject({ held_by: null, items: [{ failure: null }] })
    gate.open()
    await stream.ended
    await expect
      .poll(async () => (await busy.call('GET', `/sessions/${id}/queue`)).body.items, { timeout: 20_000 })
      .toEqual([])
    await busy.close()
  })

  it('start within a minute when their request was missed', async () => {
    const missed = await aChatInTurn()
    const held = await aChatInTurn()
    const { db } = chat.app.deps
    await sql`update queued_messages set created_at = now() - interval '61 seconds'
      where session_id in (${missed.id}, ${held.id})`.execute(db)
    await db.updateTable('runs').set({ state: 'stopped' }).where('session_id', '=', held.id).execute()
    await requestMissed(chat.app.deps)
    await expect.poll(() => questions(missed.id), patiently).toEqual(['Before', 'In turn'])
    expect(await waiting(held.id)).toEqual(['In turn'])
  })

  it('keep the chosen tool and model, also for a later reply to the same message', async () => {
    const { id } = await aChatInTurn({ tool_choice: 'calculator', model_name: 'compatible/other' })
    await queue(id, 'Behind')
    await expect.poll(() => questions(id), patiently).toContain('In turn')
    expect((await branch(id)).at(2).metadata).toMatchObject({
      tool_choice: 'calculator',
      model_name: 'compatible/other',
    })
    expect((await branch(id)).at(3).model_name).toBe('compatible/other')
  })
})
