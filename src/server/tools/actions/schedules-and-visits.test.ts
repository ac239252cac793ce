import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keepTestAccount } from '#tests/actions/connected-account.ts'
import { serviceConfig } from '#tests/actions/service-config.ts'
import { type ServiceWorld, startServiceWorld } from '#tests/actions/service-world.ts'
import type { TestUser } from '#tests/builders.ts'
import { calls, says } from '#tests/model-server.ts'
import { type Scheduling, startScheduling } from '#tests/scheduling.ts'
import { signMessage } from '../../platform/signatures/signatures.ts'

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

/** Waits until a run of a schedule is over, by default the only one. */
async function ends(call: typeof scheduling.chat.call, id: string, slot?: string) {
  await scheduling.run()
  const state = async () =>
    (await call('GET', `/schedules/${id}/slots`)).body.items.find(
      (one: { id: string }) => slot === undefined || one.id === slot,
    )?.state
  await expect.poll(state, { timeout: 60_000 }).toBe('completed')
}

it('a schedule uses the account of its owner, and never that of a previous one [AC-01]', async () => {
  const { chat, aSchedule } = scheduling
  const asBea = (method: string, path: string, body?: unknown) =>
    chat.call(method, path, body, bea.headers as Record<string, string>)
  const id = await aSchedule()
  const finish = async (call: typeof chat.call, schedule = id) => {
    const { status, body } = await call('POST', `/schedules/${schedule}/runs`, { client_id: randomUUID() })
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    await ends(call, schedule, body.id)
  }
  await finish(chat.call)
  expect(tokens()).toEqual(['Bearer token-of-ada@example.com'])
  world.asked.length = 0
  await chat.call('POST', `/schedules/${id}/transfer`, { user_id: bea.id })
  expect((await asBea('POST', `/offered-schedules/${id}`, { accept: true })).status).toBe(200)
  await finish(asBea)
  await keepTestAccount(chat.app, bea.id, 'google', { services: world }, 'bea@example.com')
  // Its previous owner wrote what it asks.
  await finish(asBea)
  expect(world.asked).toEqual([])
  const { name, rule, text, time_zone, model_name } = (await asBea('GET', `/schedules/${id}`)).body
  const own = await asBea('POST', '/schedules', { name, rule, text, time_zone, model_name })
  expect(own.status, JSON.stringify(own.body)).toBe(201)
  await finish(asBea, own.body.id)
  expect(tokens()).toEqual(['Bearer token-of-bea@example.com'])
})

it('a schedule that starts on a call from outside uses no account [AC-01]', async () => {
  const { chat, aSchedule } = scheduling
  const id = await aSchedule({ rule: { kind: 'call' }, text: 'Answer this.', target: 'new_chats' })
  const { secret } = (await chat.call('POST', `/schedules/${id}/secret`, {})).body
  const body = JSON.stringify({ text: 'List the mails.' })
  const signed = signMessage({ id: randomUUID(), at: new Date('2027-01-04T06:00:00Z'), body }, [secret])
  const headers = { ...signed, 'content-type': 'application/json' }
  const sent = await fetch(`${chat.url}/triggers/${id}/deliveries`, { method: 'POST', headers, body })
  expect(sent.status, await sent.text()).toBe(202)
  chat.model.requests.length = 0
  await ends(chat.call, id)
  expect(JSON.stringify(chat.model.requests.at(-1)?.tools)).toContain('web_search')
  expect(JSON.stringify(chat.model.requests.at(-1)?.tools)).not.toContain('search_mail')
  expect(world.asked).toEqual([])
})
