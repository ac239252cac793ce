import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keepTestAccount } from '#tests/actions/connected-account.ts'
import { serviceConfig } from '#tests/actions/service-config.ts'
import { type ServiceWorld, startServiceWorld } from '#tests/actions/service-world.ts'
import type { TestUser } from '#tests/builders.ts'
import { calls, says } from '#tests/model-server.ts'
import { type Scheduling, startScheduling } from '#tests/scheduling.ts'

let world: ServiceWorld
let scheduling: Scheduling
let bea: TestUser
beforeAll(async () => {
  world = await startServiceWorld()
  scheduling = await startScheduling(serviceConfig(world))
  bea = await scheduling.aColleague()
  const { chat } = scheduling
  await keepTestAccount(chat.app, chat.user.id, 'google', { services: world }, 'ada@example.com')
  chat.model.always(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? [says('Done.')] : [calls('search_mail', {})],
  )
})
afterAll(async () => {
  await scheduling.chat.close()
  await world.close()
})
beforeEach(() => {
  world.asked.length = 0
})

const tokens = () => [...new Set(world.asked.map(({ by }) => by))]

it('a schedule uses the account of its owner, and never that of a previous one [AC-01]', async () => {
  const { chat, aSchedule, run } = scheduling
  const asBea = (method: string, path: string, body?: unknown) =>
    chat.call(method, path, body, bea.headers as Record<string, string>)
  const id = await aSchedule()
  const finish = async (call: typeof chat.call) => {
    const { body } = await call('POST', `/schedules/${id}/runs`, { client_id: randomUUID() })
    await run()
    const state = async () =>
      (await call('GET', `/schedules/${id}/slots`)).body.items.find(
        (one: { id: string }) => one.id === body.id,
      )?.state
    await expect.poll(state, { timeout: 60_000 }).toBe('completed')
  }
  await finish(chat.call)
  expect(tokens()).toEqual(['Bearer token-of-ada@example.com'])
  world.asked.length = 0
  await chat.call('POST', `/schedules/${id}/transfer`, { user_id: bea.id })
  expect((await asBea('POST', `/offered-schedules/${id}`, { accept: true })).status).toBe(200)
  await finish(asBea)
  expect(world.asked).toEqual([])
  await keepTestAccount(chat.app, bea.id, 'google', { services: world }, 'bea@example.com')
  await finish(asBea)
  expect(tokens()).toEqual(['Bearer token-of-bea@example.com'])
})
