import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunEvent } from '#shared/runs/events.ts'
import { type Chat, startChat } from '../../../tests/support/chat.ts'
import { firstId, frameOf } from './frames.ts'
import { createOutbox } from './outbox.ts'
import { getRuns } from './runs.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

describe('what was sent is stored', () => {
  it('R-13 ST-30 of a run that this process lost and took up again at once, what came since is stored, and only that', async () => {
    const id = await chat.aSession()
    const stream = await chat.ask(id, 'Go')
    await stream.ended
    const runId = stream.view()!.run_id
    const { db, log } = chat.app.deps
    await getRuns(chat.app.deps).engine.outbox.flush()
    const said = (epoch: number, content: string) => {
      const event: RunEvent = {
        event: 'response_chunk',
        run_id: runId,
        step_key: null,
        attempt: epoch,
        content,
      }
      return frameOf(firstId(epoch) + 1, event)
    }
    const outbox = createOutbox(db, log)
    outbox.add({ id: runId, sessionId: id, epoch: 7 }, said(7, 'lost'))
    await db.updateTable('runs').set({ epoch: 8 }).where('id', '=', runId).execute()
    outbox.add({ id: runId, sessionId: id, epoch: 8 }, said(8, 'kept'))
    await outbox.close()
    const rows = await db
      .selectFrom('run_events')
      .select('events')
      .where('run_id', '=', runId)
      .where('first_id', '>', firstId(7))
      .execute()
    const texts = rows.flatMap(({ events }) =>
      (events as [number, string, { content: string }][]).map((item) => item[2].content),
    )
    expect(texts).toEqual(['kept'])
  })
})
