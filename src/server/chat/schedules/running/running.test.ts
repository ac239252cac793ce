import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { setScheduleClock } from '#tests/schedule-clock.ts'
import { aDocument } from '#tests/stored-document.ts'
import { runSchedules } from '../schedules.ts'

let chat: Chat
let bea: TestUser
beforeAll(async () => {
  chat = await startChat({ app: { jobs: false }, user: { role: 'member' } })
  bea = await aUser(chat.app)
  const { rows } = await sql<{ id: string }>`select company_id as id from company_members
    where user_id = ${chat.user.id} limit 1`.execute(db())
  await sql`insert into company_members (company_id, user_id, role) values (${rows[0]?.id}, ${bea.id}, 'member')
    on conflict do nothing`.execute(db())
})
afterAll(() => chat.close())
beforeEach(async () => {
  chat.model.forget()
  chat.model.always([says('Fine.')])
  chat.model.requests.length = 0
  await sql`delete from schedules`.execute(db())
  await sql`delete from sessions`.execute(db())
  await sql`delete from notifications`.execute(db())
  await moveTo('2027-01-04T06:00:00Z')
})

const db = () => chat.app.deps.db
const moveTo = (time: string) => setScheduleClock(chat.app, time)
const run = () => runSchedules(chat.app.deps, new AbortController().signal)

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Any = any

async function aSchedule(more: object = {}) {
  const answer = await chat.call('POST', '/schedules', {
    ...{ name: 'Watch', text: 'What is new?', model_name: 'compatible/scripted' },
    ...{ rule: { kind: 'days', count: 1, time: '08:00' }, time_zone: 'Europe/Paris', ...more },
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.id as string
}
/** Past and running slots, the oldest first. */
const log = async (id: string): Promise<Any[]> =>
  (await chat.call('GET', `/schedules/${id}/slots`)).body.items
    .filter(({ state }: Any) => state !== 'planned')
    .reverse()
const states = async (id: string) => (await log(id)).map(({ state }) => state)

/** Lets the days begin one after another. */
async function passDays(id: string, days: number[]) {
  for (const day of days) {
    await moveTo(`2027-01-${String(day).padStart(2, '0')}T06:00:01Z`)
    await run()
    await moveTo(`2027-01-${String(day).padStart(2, '0')}T07:00:01Z`)
    await run()
    await rested(id)
  }
}
const rested = (id: string) => expect.poll(() => states(id), { timeout: 60_000 }).not.toContain('running')
const as = async (
  user: TestUser,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Any }> =>
  chat.call(method, path, body, user.headers as Record<string, string>)

const question = () => chat.model.reply([calls('ask_person', { prompt: 'Which sites?' })])
const answerQuestion = async (sessionId: string) => {
  const { items } = (await chat.call('GET', '/input-requests')).body
  const { request } = items.find(({ session_id }: Any) => session_id === sessionId)
  return chat.call('POST', `/sessions/${sessionId}/provide-input`, {
    ...{ checkpoint_name: request.checkpoint_name, input: 'Paris', input_type: 'text' },
  })
}

describe('a slot whose predecessor is not over', () => {
  it.each([
    ['wait', 'one_chat', ['asking', 'waiting']],
    ['wait', 'new_chats', ['asking', 'waiting']],
    ['skip', 'one_chat', ['asking', 'skipped']],
    ['parallel', 'new_chats', ['asking', 'completed']],
  ])('follows the rule “%s” in %s [SD-06]', async (overlap, target, expected) => {
    const id = await aSchedule({ overlap, target })
    question()
    await passDays(id, [4])
    expect(await states(id)).toEqual(['asking'])
    chat.model.reply([says('Done.')])
    await passDays(id, [5])
    expect(await states(id)).toEqual(expected)
    const [first] = await log(id)
    await answerQuestion(first.session_id)
    await expect.poll(() => states(id).then(([one]) => one), { timeout: 60_000 }).toBe('completed')
    await run()
    await rested(id)
    expect((await states(id))[1]).toBe(overlap === 'skip' ? 'skipped' : 'completed')
  })

  it('refuses parallel runs in one chat', async () => {
    const body = { name: 'A', text: 'B', rule: { kind: 'days', count: 1, time: '08:00' }, time_zone: 'UTC' }
    const { status } = await chat.call('POST', '/schedules', { ...body, overlap: 'parallel' })
    expect(status).toBe(422)
  })
})

describe('a run that asks', () => {
  it('parks without a process, asks the deputy after a delay without showing the chat, and resumes days later [SD-07]', async () => {
    const id = await aSchedule({ deputy_id: bea.id, deputy_after_minutes: 60, skip_after_minutes: 10_000 })
    question()
    await passDays(id, [4])
    const [slot] = await log(id)
    expect(slot).toMatchObject({ state: 'asking', skip_at: '2027-01-11T05:40:01.000Z' })
    expect(chat.app.deps.engine.live.size).toBe(0)
    expect((await chat.call('GET', '/input-requests')).body.items[0].session_id).toBe(slot.session_id)
    expect((await as(bea, 'GET', '/deputy-questions')).body.items).toEqual([])
    expect(
      (await as(bea, 'POST', `/deputy-questions/${slot.id}`, { input: 'X', input_type: 'text' })).status,
    ).toBe(403)
    await moveTo('2027-01-04T08:01:01Z')
    await run()
    await run()
    const [asked, ...others] = (await as(bea, 'GET', '/deputy-questions')).body.items
    expect(others).toEqual([])
    expect(asked).toMatchObject({
      slot_id: slot.id,
      schedule_name: 'Watch',
      request: { prompt: 'Which sites?' },
    })
    expect((await as(bea, 'GET', `/sessions/${slot.session_id}/active-branch`)).status).toBe(403)
    const told = (await as(bea, 'GET', '/notifications')).body.items
    expect(told.map(({ kind }: Any) => kind)).toEqual(['deputy_asked'])
    await moveTo('2027-01-07T08:00:00Z')
    chat.model.reply([says('Paris is in scope.')])
    expect(
      (await as(bea, 'POST', `/deputy-questions/${slot.id}`, { input: 'Paris', input_type: 'text' })).status,
    ).toBe(200)
    await expect.poll(() => states(id), { timeout: 60_000 }).toEqual(['completed'])
    expect((await as(bea, 'GET', '/deputy-questions')).body.items).toEqual([])

    await chat.call('PUT', `/schedules/${id}/state`, { state: 'paused' })
    const late = await aSchedule({ skip_after_minutes: 60 })
    question()
    await passDays(late, [8])
    expect(await log(late)).toMatchObject([{ state: 'asking', skip_at: '2027-01-08T08:00:01.000Z' }])
    await moveTo('2027-01-08T08:01:01Z')
    await run()
    expect(await log(late)).toMatchObject([{ state: 'skipped', reason: { code: 'unanswered' } }])
    await expect
      .poll(async () => (await chat.call('GET', '/input-requests')).body.items.length, { timeout: 60_000 })
      .toBe(0)
  })
})

describe('results', () => {
  it.each(['new_chats', 'one_chat'])(
    'are kept only when they differ from the last one, in %s [SD-08]',
    async (target) => {
      const always = await aSchedule({ target })
      const id = await aSchedule({ target, only_changes: true })
      const texts = ['Lot 3 costs 900.', 'Lot 3  costs 900.', 'Lot 3 costs 950.']
      for (const [index, text] of texts.entries()) {
        chat.model.always([says(text)])
        await passDays(id, [4 + index])
        await rested(always)
      }
      const replies = async (session: string | null) => {
        if (session === null) return []
        const { active_branch } = (await chat.call('GET', `/sessions/${session}/active-branch`)).body
        return active_branch
          .filter(({ role }: Any) => role === 'assistant')
          .map(({ content }: Any) => content)
      }
      const kept = await log(id)
      expect(kept.map(({ is_same }) => is_same)).toEqual([false, true, false])
      const told = (await chat.call('GET', '/notifications')).body.items
      const kinds = told.map(({ kind }: Any) => kind).sort()
      expect(kinds).toEqual([...Array(3).fill('reply_finished'), ...Array(2).fill('schedule_changed')])
      const all = await log(always)
      if (target === 'one_chat') {
        expect(await replies(all[0].session_id)).toEqual(texts)
        expect(await replies(kept[0].session_id)).toEqual([texts[0], texts[2]])
        expect(new Set(kept.map(({ session_id }) => session_id)).size).toBe(1)
      } else {
        expect(await Promise.all(all.map(({ session_id }) => replies(session_id)))).toEqual(
          texts.map((text) => [text]),
        )
        expect(await Promise.all(kept.map(({ session_id }) => replies(session_id)))).toEqual([
          [texts[0]],
          [],
          [texts[2]],
        ])
      }
    },
  )
})

describe('limits of a run', () => {
  it('end it at the checkpoint before its next model call, and three failures in a row stop the schedule and notify its owner of the reason [SD-09]', async () => {
    await sql`insert into model_overrides (model_id, input_price, output_price)
      values ('compatible/scripted', 1000000, 1000000) on conflict do nothing`.execute(db())
    const id = await aSchedule({ max_cost: 0.01, max_minutes: 2 })
    chat.model.always([calls('calculator', { a: 1, b: 1, operation: 'add' })])
    await passDays(id, [4, 5, 6, 7])
    await sql`delete from model_overrides`.execute(db())
    const slots = await log(id)
    const reason = { code: 'budget_used_up', detail: 'This run has reached its limit of $0.01.' }
    expect(slots.map(({ state, reason }) => ({ state, reason }))).toEqual(
      Array(3).fill({ state: 'failed', reason }),
    )
    expect(slots[0].cost).toBeGreaterThan(0.01)
    // One call of the model each, and a checkpoint after it.
    expect(chat.model.requests).toHaveLength(3)
    const { rows } = await sql<{
      key: string
      seconds: number
    }>`select c.key, (i.value #>> '{value,limits,seconds}')::int as seconds
      from run_records c join run_records i on i.run_id = c.run_id and i.kind = 'input'
      where c.kind = 'checkpoint' order by c.run_id, c.position limit 100`.execute(db())
    expect(rows.filter(({ key }) => key === 'llm_checkpoint_2')).toHaveLength(3)
    expect(new Set(rows.map(({ seconds }) => seconds))).toEqual(new Set([120]))
    expect((await chat.call('GET', `/schedules/${id}`)).body).toMatchObject({
      state: 'stopped',
      stopped_for: reason,
    })
    const { items } = (await chat.call('GET', '/notifications')).body
    expect(items.filter(({ kind }: Any) => kind === 'schedule_stopped')).toMatchObject([
      { name: 'Watch', text: reason.detail, path: expect.stringMatching(`^/schedules/${id}\\?slot=`) },
    ])
  })

  it('count failures in a row only', async () => {
    const id = await aSchedule()
    for (const [day, model] of [
      [4, 'compatible/gone'],
      [5, 'compatible/gone'],
      [6, 'compatible/scripted'],
      [7, 'compatible/gone'],
      [8, 'compatible/gone'],
    ] as const) {
      await sql`update schedules set model_name = ${model} where id = ${id}`.execute(db())
      await passDays(id, [day])
    }
    expect((await chat.call('GET', `/schedules/${id}`)).body.state).toBe('on')
  })
})

describe('rights', () => {
  it('are the current ones of the owner: what was withdrawn fails the slot and is named [SD-12]', async () => {
    const { documentId } = await aDocument(chat.app, chat.user)
    const id = await aSchedule({ things: [{ kind: 'document', id: documentId }], model_name: null })
    const [{ name }] = (await chat.call('GET', `/schedules/${id}`)).body.things
    await sql`delete from documents where id = ${documentId}`.execute(db())
    await passDays(id, [4])
    const set = (things: object[], model: string | null) =>
      sql`update schedules set things = ${JSON.stringify(things)}::jsonb, model_name = ${model}, failures = 0
        where id = ${id}`.execute(db())
    await set([{ kind: 'tool', id: 'calculator', name: 'Calculator' }], 'compatible/gone')
    await passDays(id, [5])
    await set([{ kind: 'tool', id: 'gone', name: 'Old tool' }], null)
    await passDays(id, [6])
    await set([{ kind: 'assistant', id: '12345678-0000-4000-8000-000000000001', name: 'Old hand' }], null)
    await passDays(id, [7])
    expect((await log(id)).map(({ state, reason }) => [state, reason.code, reason.name])).toEqual(
      [name, 'compatible/gone', 'Old tool', 'Old hand'].map((one) => ['failed', 'withdrawn', one]),
    )
  })

  it('need the terms of the company: a slot fails with the reason until the owner accepts them', async () => {
    const id = await aSchedule()
    const { rows } = await sql<{ id: string }>`
      insert into company_terms (company_id, version, text_en, text_fr, published_at, published_by)
      select company_id, 1, 'Be kind.', 'Soyez aimables.', now(), 'ada' from company_members
      where user_id = ${chat.user.id} limit 1 returning id`.execute(db())
    await passDays(id, [4])
    expect((await chat.call('GET', '/users/me')).body.terms_due).toBe(true)
    await sql`insert into terms_acceptances (user_id, terms_id, accepted_at)
      values (${chat.user.id}, ${rows[0]?.id}, now())`.execute(db())
    await passDays(id, [5])
    expect((await log(id)).map(({ state, reason }) => [state, reason?.code ?? null])).toEqual([
      ['failed', 'terms_due'],
      ['completed', null],
    ])
    await sql`delete from company_terms`.execute(db())
  })
})

describe('administrators', () => {
  it('see the schedules of their people with cost and next run, stop them, and limit number and frequency [SD-13]', async () => {
    const { rows } = await sql<{ id: string }>`select company_id as id from company_members
      where user_id = ${chat.user.id} limit 1`.execute(db())
    const boss = await aUser(chat.app, { role: 'company_admin', companyId: rows[0]?.id ?? '' })
    const elsewhere = await aUser(chat.app, { role: 'company_admin' })
    const house = await aUser(chat.app, { role: 'super_admin' })
    const id = await aSchedule({ target: 'new_chats', overlap: 'parallel' })
    question()
    await passDays(id, [4])
    await sql`update slots set cost = 0.25 where schedule_id = ${id} and state = 'asking'`.execute(db())
    const [seen, ...others] = (await as(boss, 'GET', '/admin/schedules')).body.items
    expect(others).toEqual([])
    expect(seen).toMatchObject({
      id,
      name: 'Watch',
      state: 'on',
      cost: 0.25,
      next_at: '2027-01-05T07:00:00.000Z',
    })
    expect(seen).not.toHaveProperty('text')
    expect((await as(elsewhere, 'GET', '/admin/schedules')).body.items).toEqual([])
    expect((await as(elsewhere, 'POST', `/admin/schedules/${id}/stop`)).status).toBe(403)
    expect((await as(bea, 'GET', '/admin/schedules')).status).toBe(403)
    expect((await as(boss, 'POST', `/admin/schedules/${id}/stop`)).status).toBe(200)
    expect((await log(id)).map(({ state, reason }) => [state, reason?.code])).toEqual([
      ['stopped', 'by_administrator'],
    ])
    expect((await chat.call('GET', `/schedules/${id}`)).body.state).toBe('stopped')
    await passDays(id, [5])
    expect(await log(id)).toHaveLength(1)
    const limits = { min_minutes: 60, max_per_person: 1 }
    expect((await as(boss, 'PUT', '/admin/schedule-limits', limits)).status).toBe(403)
    expect((await as(house, 'PUT', '/admin/schedule-limits', limits)).status).toBe(200)
    const often = {
      name: 'A',
      text: 'B',
      time_zone: 'UTC',
      rule: { kind: 'interval', count: 30, unit: 'minutes' },
    }
    expect((await chat.call('POST', '/schedules', often)).status).toBe(422)
    await aSchedule()
    const hourly = { ...often, rule: { kind: 'interval', count: 1, unit: 'hours' } }
    expect((await chat.call('POST', '/schedules', hourly)).status).toBe(409)
    await sql`delete from schedule_limits`.execute(db())
  })
})

describe('a colleague', () => {
  it('takes over an offered schedule, paused and without results of the previous owner, as it is paused, resumed, run now and duplicated by its owner [SD-11]', async () => {
    const id = await aSchedule()
    chat.model.reply([says('Private.')])
    await passDays(id, [4])
    const stranger = await aUser(chat.app)
    await sql`delete from company_members where user_id = ${stranger.id}`.execute(db())
    expect((await chat.call('POST', `/schedules/${id}/transfer`, { user_id: stranger.id })).status).toBe(403)
    expect((await as(bea, 'POST', `/offered-schedules/${id}`, { accept: true })).status).toBe(403)
    await chat.call('POST', `/schedules/${id}/transfer`, { user_id: bea.id })
    expect((await as(bea, 'GET', `/schedules`)).body.offered).toMatchObject([{ id, name: 'Watch' }])
    expect((await as(bea, 'GET', `/schedules/${id}`)).status).toBe(403)
    expect((await as(bea, 'POST', `/offered-schedules/${id}`, { accept: true })).status).toBe(200)
    expect((await chat.call('GET', `/schedules/${id}`)).status).toBe(403)
    expect((await as(bea, 'GET', `/schedules/${id}`)).body).toMatchObject({
      state: 'paused',
      session_id: null,
    })
    const [slot] = (await as(bea, 'GET', `/schedules/${id}/slots`)).body.items
    expect(slot).toMatchObject({ state: 'completed', result: null, session_id: null })
    // The new owner turns it on, runs it now, duplicates and pauses it.
    chat.model.reply([says('For Bea.')])
    expect((await as(bea, 'PUT', `/schedules/${id}/state`, { state: 'on' })).body.state).toBe('on')
    const { body: now } = await as(bea, 'POST', `/schedules/${id}/runs`, { client_id: randomUUID() })
    await run()
    const ofBea = async () =>
      (await as(bea, 'GET', `/schedules/${id}/slots`)).body.items.find((one: Any) => one.id === now.id)
    await expect.poll(ofBea, { timeout: 60_000 }).toMatchObject({ state: 'completed', result: 'For Bea.' })
    expect(await ofBea()).toMatchObject({ by_hand: true, session_id: expect.any(String) })
    const { body: copy } = await as(bea, 'POST', `/schedules/${id}/duplicate`)
    expect(copy).toMatchObject({ name: 'Watch', state: 'paused' })
    // Its text is not Bea's, so that a run asks before it sends something out.
    const texts = await db()
      .selectFrom('messages')
      .select('is_by_others')
      .where('session_id', '=', (await ofBea()).session_id)
      .where('role', '=', 'user')
      .execute()
    expect(texts).toEqual([{ is_by_others: true }])
    const rows = await db().selectFrom('schedules').select('is_by_others').where('id', '=', copy.id).execute()
    expect(rows).toEqual([{ is_by_others: true }])
    expect((await as(bea, 'PUT', `/schedules/${id}/state`, { state: 'paused' })).body).toMatchObject({
      ...{ state: 'paused', next_runs: [], next_at: null },
    })
  })
})
