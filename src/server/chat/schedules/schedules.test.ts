import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { says } from '#tests/model-server.ts'
import { setScheduleClock } from '#tests/schedule-clock.ts'
import { aDocument } from '#tests/stored-document.ts'
import { runSchedules } from './schedules.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ app: { jobs: false } })
})
afterAll(() => chat.close())
beforeEach(async () => {
  chat.model.forget()
  await sql`delete from schedules`.execute(db())
  await moveTo('2027-01-04T06:00:00Z')
})

const db = () => chat.app.deps.db
const moveTo = (time: string) => setScheduleClock(chat.app, time)
const run = () => runSchedules(chat.app.deps, new AbortController().signal)

const monday = { kind: 'weekdays', days: [1], time: '08:00' }
const plain = {
  ...{ name: 'Watch', rule: monday, time_zone: 'Europe/Paris', text: 'What is new?' },
  model_name: 'compatible/scripted',
}
async function aSchedule(more: object = {}) {
  const answer = await chat.call('POST', '/schedules', { ...plain, ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const log = async (id: string) => (await chat.call('GET', `/schedules/${id}/slots`)).body.items
const read = async (id: string) => (await chat.call('GET', `/schedules/${id}`)).body

/** Waits until the runs of a schedule are over or wait. */
async function settled(id: string) {
  await expect
    .poll(async () => (await log(id)).filter(({ state }: { state: string }) => state === 'running'), {
      timeout: 60_000,
    })
    .toEqual([])
  return log(id)
}

describe('schedules', () => {
  it('says the rule in the language of the caller and shows the next five runs', async () => {
    const { sentence, next_runs, next_at } = await aSchedule()
    expect(sentence).toBe('Every Monday at 08:00, Europe/Paris')
    expect(next_runs).toHaveLength(5)
    expect(next_runs[0]).toBe('2027-01-04T07:00:00.000Z')
    expect(next_at).toBe('2027-01-04T07:00:00.000Z')
  })

  it('refuses a rule that cannot run, with one sentence, and stores nothing', async () => {
    const before = (await chat.call('GET', '/schedules')).body.total
    for (const [more, detail] of [
      [
        { time_zone: 'Europe/Nowhere' },
        '“Europe/Nowhere” is not a time zone. Use a name such as Europe/Paris.',
      ],
      [{ time_zone: '+02:00' }, '“+02:00” is not a time zone. Use a name such as Europe/Paris.'],
      [
        { rule: { kind: 'once', date: '2027-02-30', time: '08:00' } },
        '“2027-02-30” is not a date of the calendar.',
      ],
      [
        { rule: { kind: 'once', date: '2026-02-01', time: '08:00' } },
        'This time has passed. Choose a later one.',
      ],
      [
        { rule: { kind: 'interval', count: 1, unit: 'seconds' } },
        'This is too often. The shortest time between two runs is 5 minutes.',
      ],
    ] as const) {
      const { status, body } = await chat.call('POST', '/schedules', { ...plain, ...more })
      expect([status, body.detail]).toEqual([422, detail])
    }
    expect((await chat.call('GET', '/schedules')).body.total).toBe(before)
  })

  it('lists only the next five of many slots to come', async () => {
    const { id } = await aSchedule({ rule: { kind: 'interval', count: 30, unit: 'minutes' } })
    await run()
    const { items, total } = (await chat.call('GET', `/schedules/${id}/slots`)).body
    const { next_runs } = (await chat.call('GET', `/schedules/${id}`)).body
    expect(items.map(({ due_at }: { due_at: string }) => due_at)).toEqual(next_runs.toReversed())
    expect(total).toBe(5)
    await chat.call('DELETE', `/schedules/${id}`)
  })

  it('runs a due slot once, in a chat of the schedule, lists it with its result, and runs it again [SD-10]', async () => {
    const { id } = await aSchedule()
    await run()
    expect((await log(id)).map(({ state }: { state: string }) => state)).toEqual(['planned'])
    await moveTo('2027-01-04T07:00:01Z')
    chat.model.reply([says('Two new offers.')])
    await Promise.all([run(), run()])
    await run()
    const [slot, ...others] = await settled(id)
    expect(others).toEqual([])
    expect(slot).toMatchObject({
      ...{ state: 'completed', result: 'Two new offers.', cost: expect.any(Number) },
      ...{ due_at: '2027-01-04T07:00:00.000Z', started_at: '2027-01-04T07:00:01.000Z' },
      ended_at: '2027-01-04T07:00:01.000Z',
    })
    const { body } = await chat.call('GET', `/sessions/${slot.session_id}/active-branch`)
    expect(body.active_branch.map(({ content }: { content: string }) => content)).toEqual([
      'What is new?',
      'Two new offers.',
    ])
    // The next week continues in the same chat, and the reply makes it unread.
    await moveTo('2027-01-10T07:00:01Z')
    await run()
    await moveTo('2027-01-11T07:00:01Z')
    chat.model.reply([says('Nothing new.')])
    await run()
    const [newest] = await settled(id)
    expect(newest.session_id).toBe(slot.session_id)
    expect((await chat.call('GET', `/sessions/${slot.session_id}`)).body.is_unread).toBe(true)
    await chat.call('POST', `/schedules/${id}/runs`, { client_id: randomUUID() })
    chat.model.reply([says('Again.')])
    await run()
    expect((await settled(id)).filter(({ by_hand }: { by_hand: boolean }) => by_hand)).toMatchObject([
      { result: 'Again.' },
    ])
  })

  it('stores a repeated creation once, also at the maximum and after its time', async () => {
    const id = randomUUID()
    await sql`insert into schedule_limits (min_minutes, max_per_person) values (5, 1)`.execute(db())
    const once = { id, rule: { kind: 'once', date: '2027-01-04', time: '08:00' } }
    const answers = await Promise.all(
      [1, 2].map(() => chat.call('POST', '/schedules', { ...plain, ...once })),
    )
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual([
      [201, id],
      [201, id],
    ])
    await moveTo('2027-01-05T06:00:00Z')
    expect((await chat.call('POST', '/schedules', { ...plain, ...once })).status).toBe(201)
    await sql`delete from schedule_limits`.execute(db())
    const { rows } = await sql`select from audit_entries
      where did = 'schedule.created' and subject_id = ${id} limit 10`.execute(db())
    expect(rows).toHaveLength(1)
  })

  it('accepts a single run in many years, and says the next five of a rare rhythm', async () => {
    const body = { rule: { kind: 'once', date: '2060-01-01', time: '08:00' }, time_zone: 'Europe/Paris' }
    const { body: single } = await chat.call('POST', '/schedule-previews', body)
    expect(single).toMatchObject({ fault: null, next_runs: ['2060-01-01T07:00:00.000Z'] })
    const rare = { ...body, rule: { kind: 'days', count: 1000, time: '08:00' } }
    expect((await chat.call('POST', '/schedule-previews', rare)).body.next_runs).toHaveLength(5)
  })

  it('runs now once for a repeated request', async () => {
    const { id } = await aSchedule({ target: 'new_chats', overlap: 'parallel' })
    const client_id = randomUUID()
    chat.model.reply([says('Now.')])
    const answers = await Promise.all(
      [1, 2].map(() => chat.call('POST', `/schedules/${id}/runs`, { client_id })),
    )
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    await run()
    const slots = (await settled(id)).filter(({ by_hand }: { by_hand: boolean }) => by_hand)
    expect(slots).toMatchObject([{ state: 'completed', result: 'Now.' }])
  })

  it.each([
    ['skip', ['missed', 'missed', 'missed'], 'downtime'],
    ['last', ['completed', 'missed', 'missed'], 'downtime_last'],
    ['all', ['completed', 'completed', 'completed'], null],
  ])(
    'applies the rule “%s” to slots missed during a downtime, and says so in the log',
    async (missed, states, code) => {
      const { id } = await aSchedule({ missed, rule: { kind: 'days', count: 1, time: '08:00' } })
      await moveTo('2027-01-06T09:00:00Z')
      for (let n = 0; n < 4; n += 1) {
        await run()
        await settled(id)
      }
      const slots = (await log(id)).filter(({ state }: { state: string }) => state !== 'planned')
      expect(slots.map(({ state }: { state: string }) => state)).toEqual(states)
      expect(slots.at(-1).reason?.code ?? null).toBe(code)
    },
  )

  it('skips missed slots, runs the last or all up to the latest ten, and says which in the log [SD-05]', async () => {
    const rule = { kind: 'days', count: 1, time: '08:00' }
    const ids: string[] = []
    for (const missed of ['skip', 'last', 'all'])
      ids.push((await aSchedule({ kind: 'reminder', missed, rule })).id)
    await moveTo('2027-01-20T09:00:00Z')
    await run()
    const found = await Promise.all(
      ids.map(async (id) => {
        const slots = (await log(id)).filter(({ state }: { state: string }) => state !== 'planned')
        const done = slots.filter(({ state }: { state: string }) => state === 'completed')
        const [newest] = done
        return { done: done.length, newest: newest?.due_at, all: slots.length, reason: slots.at(-1).reason }
      }),
    )
    const newest = '2027-01-20T07:00:00.000Z'
    expect(found).toEqual([
      { done: 0, newest: undefined, all: 17, reason: { code: 'downtime' } },
      { done: 1, newest, all: 17, reason: { code: 'downtime_last' } },
      { done: 10, newest, all: 17, reason: { code: 'downtime_bound' } },
    ])
  })

  it('notifies without a model when it is a reminder [SD-14]', async () => {
    const { id } = await aSchedule({ kind: 'reminder', name: 'Stand-up', text: 'Ask Bea.' })
    await run()
    await moveTo('2027-01-04T07:00:01Z')
    chat.model.requests.length = 0
    await Promise.all([run(), run(), run()])
    expect(await log(id)).toMatchObject([{ state: 'completed', session_id: null, cost: 0 }])
    expect(chat.model.requests).toEqual([])
    const { items } = (await chat.call('GET', '/notifications')).body
    const found = items.filter(({ kind }: { kind: string }) => kind === 'reminder')
    expect(found).toMatchObject([
      { name: 'Stand-up', path: expect.stringMatching(`^/schedules/${id}\\?slot=`) },
    ])
  })

  it('stops after three failures in a row, notifies the owner, and names the withdrawn document', async () => {
    const { documentId } = await aDocument(chat.app, chat.user)
    const { id } = await aSchedule({
      ...{ rule: { kind: 'days', count: 1, time: '08:00' } },
      things: [{ kind: 'document', id: documentId }],
    })
    const [{ name }] = (await read(id)).things
    await sql`delete from documents where id = ${documentId}`.execute(db())
    for (const day of ['04', '05', '06', '07', '08']) {
      await moveTo(`2027-01-${day}T06:00:01Z`)
      await run()
      await moveTo(`2027-01-${day}T07:00:01Z`)
      await run()
    }
    const slots = await log(id)
    expect(slots.map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed', 'failed'])
    expect(slots[0].reason).toMatchObject({ code: 'withdrawn', name })
    expect(await read(id)).toMatchObject({ state: 'stopped', stopped_for: { code: 'withdrawn', name } })
    const { items } = (await chat.call('GET', '/notifications')).body
    const told = items.filter(
      ({ kind, path }: { kind: string; path: string }) =>
        kind === 'schedule_stopped' && path.startsWith(`/schedules/${id}?slot=`),
    )
    expect(told).toHaveLength(1)
  })

  it('pauses, resumes and duplicates', async () => {
    const { id } = await aSchedule({ rule: { kind: 'days', count: 1, time: '08:00' } })
    await run()
    expect(await log(id)).toHaveLength(1)
    expect((await chat.call('PUT', `/schedules/${id}/state`, { state: 'paused' })).body.state).toBe('paused')
    await moveTo('2027-01-08T09:00:00Z')
    await run()
    expect(await log(id)).toEqual([])
    await chat.call('PUT', `/schedules/${id}/state`, { state: 'on' })
    await run()
    expect(await log(id)).toMatchObject([{ state: 'planned', due_at: '2027-01-09T07:00:00.000Z' }])
    const copy = await chat.call('POST', `/schedules/${id}/duplicate`)
    expect(copy.body).toMatchObject({ name: 'Watch', state: 'paused', text: 'What is new?' })
  })
})
