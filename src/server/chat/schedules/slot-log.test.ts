import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { calls, says } from '#tests/model-server.ts'
import { type Scheduling, startScheduling } from '#tests/scheduling.ts'
import { removeOldSlots } from './slot-store.ts'

let scheduling: Scheduling
beforeAll(async () => {
  scheduling = await startScheduling()
})
afterAll(() => scheduling.chat.close())
beforeEach(async () => {
  await sql`delete from schedules`.execute(scheduling.db)
  await scheduling.moveTo('2027-01-04T06:00:00Z')
})

/** Starts the first run of a schedule. */
async function aRun(state: 'completed' | 'asking', more: object = {}): Promise<string> {
  const { aSchedule, moveTo, run, reaches } = scheduling
  const id = await aSchedule(more)
  await run()
  await moveTo('2027-01-04T07:00:01Z')
  await run()
  await reaches(id, state)
  return id
}

describe('the result of a slot', () => {
  it('is hidden while its chat is in the trash, and deleted with its chat', async () => {
    const { chat, log, db } = scheduling
    chat.model.reply([says('Servia raised its prices.')])
    const id = await aRun('completed')
    const [slot] = await log(id)
    expect(slot?.result).toBe('Servia raised its prices.')
    await sql`update sessions set deleted_at = now() where id = ${slot?.session_id}`.execute(db)
    expect((await log(id))[0]).toMatchObject({ state: 'completed', result: null, session_id: null })
    await sql`update sessions set deleted_at = null where id = ${slot?.session_id}`.execute(db)
    expect((await log(id))[0]?.result).toBe('Servia raised its prices.')
    await sql`delete from sessions where id = ${slot?.session_id}`.execute(db)
    const { rows } = await sql<{
      result: string | null
    }>`select result from slots where id = ${slot?.id}`.execute(db)
    expect(rows).toEqual([{ result: null }])
  })
})

describe('the cost of a slot', () => {
  it('is stored for a run that its owner stops', async () => {
    const { chat, log, db } = scheduling
    await sql`insert into model_overrides (model_id, input_price, output_price)
      values ('compatible/scripted', 1000000, 1000000) on conflict do nothing`.execute(db)
    chat.model.reply([calls('ask_person', { prompt: 'Which sites?' })])
    const id = await aRun('asking')
    await sql`delete from model_overrides`.execute(db)
    const [slot] = await log(id)
    expect((await chat.call('POST', `/schedules/${id}/slots/${slot?.id}/skip`)).status).toBe(200)
    await expect.poll(async () => (await log(id))[0]?.cost, { timeout: 60_000 }).toBeGreaterThan(0)
    expect(await log(id)).toMatchObject([{ state: 'stopped', reason: { code: 'by_owner' } }])
  })
})

describe('old slots', () => {
  it('are removed, except the latest of a schedule, and their cost stays', async () => {
    const { chat, aSchedule, moveTo, run, log, db } = scheduling
    const id = await aSchedule({ kind: 'reminder', missed: 'all' })
    await moveTo('2027-01-06T09:00:00Z')
    await run()
    await sql`update slots set cost = 0.5 where schedule_id = ${id} and state = 'completed'`.execute(db)
    expect(await log(id)).toHaveLength(3)
    const costs = async () => (await chat.call('GET', `/schedules/${id}`)).body.cost
    expect(await costs()).toBe(1.5)
    await removeOldSlots(db, new Date('2027-01-06T08:00:00Z'))
    expect(await log(id)).toHaveLength(3)
    await removeOldSlots(db, new Date('2027-01-06T10:00:00Z'))
    expect((await log(id)).map(({ due_at }) => due_at)).toEqual(['2027-01-06T07:00:00.000Z'])
    expect(await costs()).toBe(1.5)
    await run()
    expect(await log(id)).toHaveLength(1)
  })
})
