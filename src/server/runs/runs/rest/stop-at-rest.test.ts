import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { askUntilWaiting, playAgent, say } from '#tests/asking.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import type { RunContext } from '../context/run-context.ts'
import { stopSession } from '../runs.ts'
import { lockSession } from '../store.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
  playAgent([chat.app], asks)
})
afterAll(() => chat.close())

async function asks(run: RunContext): Promise<void> {
  await say(run, 'before', 'Before. ')
  await run.ask('waiting_for_input_after_step1', { prompt: 'Which one?', input_types: ['text'] })
}

const stop = (id: string) => chat.call('POST', `/sessions/${id}/stop`)
const stateOf = (sessionId: string) =>
  chat.app.deps.db
    .selectFrom('runs')
    .select('state')
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()

/** Holds the session lock until the gate opens, as an answer or a rename does. */
async function workIn(sessionId: string) {
  const gate = aGate()
  const locked = aGate()
  const done = chat.app.deps.db.transaction().execute(async (trx) => {
    await lockSession(trx, sessionId)
    locked.open()
    await gate.opened
  })
  await locked.opened
  return { leave: () => Promise.all([gate.open(), done]) }
}

describe('stopping a waiting run while its session is locked', () => {
  it('ends the run before the stop request returns', async () => {
    const id = await askUntilWaiting(chat)
    const work = await workIn(id)
    const stopped = stop(id)
    await sleep(500)
    await work.leave()
    expect((await stopped).status).toBe(200)
    expect(await stateOf(id)).toEqual({ state: 'stopped' })
    const { body } = await chat.call('GET', `/sessions/${id}`)
    expect(body).toMatchObject({ status: 'COMPLETED', agent_status: 'completed', pending_input: null })
  })

  it('reports a timeout when the lock lasts too long, and ends the run afterwards', async () => {
    const id = await askUntilWaiting(chat)
    const work = await workIn(id)
    const stopped = stopSession(chat.app.deps.engine, id, 300)
    await expect(stopped.finally(work.leave)).rejects.toMatchObject({ code: 'unavailable' })
    await vi.waitFor(async () => expect(await stateOf(id)).toEqual({ state: 'stopped' }), 10_000)
  })
})
