import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { setScheduleClock } from '#tests/schedule-clock.ts'
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
const rested = (id: string) => expect.poll(() => states(id), { timeout: 10_000 }).not.toContain('running')
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
    ['skip', 'one_chat', ['asking', 'skipped']],
    ['parallel', 'new_chats', ['asking', 'completed']],
  ])('follows the rule “%s” [SD-06]', async (overlap, target, expected) => {
    const id = await aSchedule({ overlap, target })
    question()
    await passDays(id, [4])
    expect(await states(id)).toEqual(['asking'])
    chat.model.reply([says('Done.')])
    await passDays(id, [5])
    expect(await states(id)).toEqual(expected)
    const [first] = await log(id)
    await answerQuestion(first.session_id)
    await expect.poll(() => states(id).then(([one]) => one)).toBe('completed')
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
    await expect.poll(() => states(id)).toEqual(['completed'])
    expect((await as(bea, 'GET', '/deputy-questions')).body.items).toEqual([])
  })

  it('is skipped at the stated time', async () => {
    const id = await aSchedule({ skip_after_minutes: 60 })
    question()
    await passDays(id, [4])
    await moveTo('2027-01-04T08:01:01Z')
    await run()
    expect(await log(id)).toMatchObject([{ state: 'skipped', reason: { code: 'unanswered' } }])
    await expect
      .poll(async () => (await chat.call('GET', '/input-requests')).body.items.length, { timeout: 10_000 })
      .toBe(0)
  })
})

describe('results', () => {
  it('open a new chat each, and go to the trash when nothing changed', async () => {
    const id = await aSchedule({ target: 'new_chats', only_changes: true })
    for (const [day, text] of [
      [4, 'Lot 3 costs 900.'],
      [5, 'Lot 3  costs 900.'],
      [6, 'Lot 3 costs 950.'],
    ] as const) {
      chat.model.reply([says(text)])
      await passDays(id, [day])
    }
    const slots = await log(id)
    expect(slots.map(({ is_same }) => is_same)).toEqual([false, true, false])
    expect(slots.map(({ session_id }) => session_id !== null)).toEqual([true, false, true])
    expect(new Set(slots.map(({ id }) => id)).size).toBe(3)
  })

  it('are turns of one chat, and leave no turn when nothing changed', async () => {
    const id = await aSchedule({ only_changes: true })
    for (const [day, text] of [
      [4, 'First.'],
      [5, 'First.'],
      [6, 'Second.'],
    ] as const) {
      chat.model.reply([says(text)])
      await passDays(id, [day])
    }
    const [{ session_id }] = await log(id)
    const { active_branch } = (await chat.call('GET', `/sessions/${session_id}/active-branch`)).body
    expect(
      active_branch.filter(({ role }: Any) => role === 'assistant').map(({ content }: Any) => content),
    ).toEqual(['First.', 'Second.'])
  })
})

describe('limits of a run', () => {
  it('end it at the checkpoint before its next model call once it has spent its cost', async () => {
    await sql`insert into model_overrides (model_id, input_price, output_price)
      values ('compatible/scripted', 1000000, 1000000) on conflict do nothing`.execute(db())
    const id = await aSchedule({ max_cost: 0.01 })
    chat.model.reply([calls('calculator', { expression: '1+1' })], [says('Two.')])
    await passDays(id, [4])
    await sql`delete from model_overrides`.execute(db())
    const [slot] = await log(id)
    expect(slot).toMatchObject({ state: 'failed', reason: { code: 'budget_used_up' } })
    expect(slot.cost).toBeGreaterThan(0.01)
    expect(chat.model.requests).toHaveLength(1)
  })
})

describe('rights', () => {
  it('are the current ones of the owner: a withdrawn model or tool fails the slot and is named', async () => {
    const id = await aSchedule({ things: [{ kind: 'tool', id: 'calculator' }] })
    await sql`update schedules set model_name = 'compatible/gone' where id = ${id}`.execute(db())
    await passDays(id, [4])
    await sql`update schedules set model_name = null, things = '[{"kind":"tool","id":"gone","name":"Old tool"}]'
      where id = ${id}`.execute(db())
    await passDays(id, [5])
    expect(await log(id)).toMatchObject([
      { state: 'failed', reason: { code: 'withdrawn', name: 'compatible/gone' } },
      { state: 'failed', reason: { code: 'withdrawn', name: 'Old tool' } },
    ])
  })
})

describe('a colleague', () => {
  it('takes over an offered schedule, paused and without results of the previous owner', async () => {
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
  })
})
