import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestUser } from '#tests/builders.ts'
import { calls, says } from '#tests/model-server.ts'
import { type Scheduling, startScheduling } from '#tests/scheduling.ts'

let scheduling: Scheduling
let bea: TestUser
beforeAll(async () => {
  scheduling = await startScheduling()
  bea = await scheduling.aColleague()
})
afterAll(() => scheduling.chat.close())

const asBea = (method: string, path: string, body?: unknown) =>
  scheduling.chat.call(method, path, body, bea.headers as Record<string, string>)
const offer = (id: string) => scheduling.chat.call('POST', `/schedules/${id}/transfer`, { user_id: bea.id })

it('stops the run of the previous owner, whose question no longer delays the new one', async () => {
  const { chat, aSchedule, moveTo, run, reaches } = scheduling
  const id = await aSchedule()
  await run()
  await moveTo('2027-01-04T07:00:01Z')
  chat.model.reply([calls('ask_person', { prompt: 'Which sites?' })])
  await run()
  await reaches(id, 'asking')
  await offer(id)
  expect((await asBea('POST', `/offered-schedules/${id}`, { accept: true })).status).toBe(200)
  const questions = async () => (await chat.call('GET', '/input-requests')).body.items
  await expect.poll(questions, { timeout: 60_000 }).toEqual([])
  const log = async () => (await asBea('GET', `/schedules/${id}/slots`)).body.items
  expect(await log()).toMatchObject([{ state: 'stopped', reason: { code: 'handed_over' }, result: null }])
  chat.model.reply([says('For Bea.')])
  const { body: now } = await asBea('POST', `/schedules/${id}/runs`, { client_id: randomUUID() })
  await run()
  const mine = async () => (await log()).find(({ id }: { id: string }) => id === now.id)
  await expect.poll(mine, { timeout: 60_000 }).toMatchObject({ state: 'completed', result: 'For Bea.' })
})

it('offers nothing to somebody who left the company', async () => {
  const id = await scheduling.aSchedule()
  await offer(id)
  const offered = async () => (await asBea('GET', '/schedules')).body.offered
  expect(await offered()).toHaveLength(1)
  await sql`delete from company_members where user_id = ${bea.id}`.execute(scheduling.db)
  expect(await offered()).toEqual([])
  expect((await asBea('POST', `/offered-schedules/${id}`, { accept: true })).status).toBe(403)
})
