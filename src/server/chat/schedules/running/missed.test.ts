import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { says } from '#tests/model-server.ts'
import { type Scheduling, startScheduling } from '#tests/scheduling.ts'
import { claimSlot, sendReminders } from './due-store.ts'

let scheduling: Scheduling
beforeAll(async () => {
  scheduling = await startScheduling()
})
afterAll(() => scheduling.chat.close())
beforeEach(async () => {
  scheduling.chat.model.always([says('Fine.')])
  await sql`delete from schedules`.execute(scheduling.db)
  await scheduling.moveTo('2027-01-04T06:00:00Z')
})

const states = async (id: string) => (await scheduling.log(id)).map(({ state }) => state)

describe('missed slots', () => {
  it('end a schedule of a single run that skips them', async () => {
    const { chat, aSchedule, moveTo, run } = scheduling
    const rule = { kind: 'once', date: '2027-01-04', time: '08:00' }
    const id = await aSchedule({ rule, missed: 'skip' })
    await moveTo('2027-01-04T09:00:00Z')
    await run()
    expect(await states(id)).toEqual(['missed'])
    expect((await chat.call('GET', `/schedules/${id}`)).body).toMatchObject({ state: 'ended', next_at: null })
  })

  it('include one whose process died while it prepared the start', async () => {
    const { aSchedule, moveTo, run, db } = scheduling
    const id = await aSchedule({ missed: 'skip' })
    await run()
    await moveTo('2027-01-04T07:00:01Z')
    expect(await claimSlot(db, null)).toMatchObject({ schedule_id: id })
    await moveTo('2027-01-04T12:00:00Z')
    await run()
    expect(await states(id)).toEqual(['missed'])
  })

  it('are all replaced by a slot that is due now, if the last one counts', async () => {
    const { aSchedule, moveTo, run } = scheduling
    const rule = { kind: 'interval', count: 15, unit: 'minutes' }
    const id = await aSchedule({ kind: 'reminder', rule, missed: 'last' })
    await moveTo('2027-01-04T07:00:00Z')
    await run()
    expect(await states(id)).toEqual(['missed', 'missed', 'missed', 'completed'])
  })

  it('are not started by another process before all of a downtime are planned', async () => {
    const { aSchedule, moveTo, db } = scheduling
    for (const kind of ['prompt', 'reminder']) {
      const id = await aSchedule({ kind })
      await sql`insert into slots (schedule_id, due_at) values (${id}, '2027-01-04T07:00:00Z')`.execute(db)
    }
    await moveTo('2027-01-06T09:00:00Z')
    expect(await claimSlot(db, null)).toBeNull()
    expect(await sendReminders(db, 10)).toBe(0)
  })
})

describe('waiting slots', () => {
  it('are ten at most; further ones are skipped', async () => {
    const { chat, aSchedule, moveTo, run, reaches, db } = scheduling
    const id = await aSchedule({ rule: { kind: 'interval', count: 1, unit: 'hours' } })
    await run()
    await moveTo('2027-01-04T07:00:01Z')
    await run()
    await reaches(id, 'completed')
    // The first run asks and is not answered.
    await sql`update slots set state = 'asking', ended_at = null where schedule_id = ${id} and state = 'completed'`.execute(
      db,
    )
    for (let hour = 8; hour < 21; hour += 1) {
      await moveTo(`2027-01-04T${String(hour).padStart(2, '0')}:00:01Z`)
      await run()
    }
    expect(await states(id)).toEqual(['asking', ...Array(10).fill('waiting'), ...Array(3).fill('skipped')])
    expect((await chat.call('GET', `/schedules/${id}`)).body.state).toBe('on')
  })
})
