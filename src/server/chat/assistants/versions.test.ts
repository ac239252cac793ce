import { afterAll, beforeAll, expect, it } from 'vitest'
import { aCompany, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_LIMIT_ASSISTANT_VERSIONS: '6' } } })
})
afterAll(() => chat.close())

const make = async (more: object = {}) =>
  (await chat.call('POST', '/assistants', { name: 'Desk', ...more })).body
const versions = async (id: string, query = '') =>
  (await chat.call('GET', `/assistants/${id}/versions${query}`)).body
const compare = (id: string, a: number, b: number) =>
  chat.call('GET', `/assistants/${id}/versions/compare?a=${a}&b=${b}`)

it('every save creates a version, which can be compared and restored [XA-01]', async () => {
  const { id } = await make({ system_prompt: 'Be brief.\nAmounts are in thousands.', temperature: 0.4 })
  const path = `/assistants/${id}`
  await chat.call('PUT', path, { system_prompt: 'Be brief.\nAmounts are in euros.', tools: ['calculator'] })
  await chat.call('PATCH', path, { temperature: 0.2 })
  await chat.call('PUT', path, {})
  const list = await versions(id)
  expect(list.has_more).toBe(false)
  expect(list.items.map((one: { version: number; changed: string[] }) => [one.version, one.changed])).toEqual(
    [
      [4, []],
      [3, ['temperature']],
      [2, ['system_prompt', 'tools']],
      [1, []],
    ],
  )
  expect(list.items[0]).toMatchObject({ saved_by: chat.user.username, returned_from: null })
  expect((await compare(id, 1, 3)).body).toMatchObject({
    ...{ differs: ['system_prompt', 'temperature', 'tools'] },
    ...{ a: { temperature: 0.4, tools: null }, b: { temperature: 0.2, tools: ['calculator'] } },
    instructions: [
      { kind: 'same', text: 'Be brief.' },
      { kind: 'removed', text: 'Amounts are in thousands.' },
      { kind: 'added', text: 'Amounts are in euros.' },
    ],
  })
  const back = await chat.call('POST', `${path}/versions/1/return`)
  expect(back).toMatchObject({
    status: 200,
    body: { temperature: 0.4, tools: null, system_prompt: 'Be brief.\nAmounts are in thousands.' },
  })
  expect((await chat.call('GET', path)).body).toMatchObject({ temperature: 0.4, status: 'draft' })
  expect((await versions(id)).items[0]).toMatchObject({ version: 5, returned_from: 1 })
})

it('the configured number of versions is retained and listed by page', async () => {
  const { id } = await make()
  for (let at = 1; at <= 8; at += 1)
    await chat.call('PUT', `/assistants/${id}`, { description: `Number ${at}` })
  const numbers = ({ items }: { items: { version: number }[] }) => items.map(({ version }) => version)
  const first = await versions(id, '?limit=4')
  expect([numbers(first), first.has_more]).toEqual([[9, 8, 7, 6], true])
  const rest = await versions(id, '?limit=4&before=6')
  expect([numbers(rest), rest.has_more]).toEqual([[5, 4], false])
  expect(await compare(id, 1, 9)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await chat.call('POST', `/assistants/${id}/versions/1/return`)).toMatchObject({ status: 404 })
  expect((await chat.call('GET', `/assistants/${id}/versions?before=x`)).status).toBe(422)
})

it('concurrent saves get distinct version numbers', async () => {
  const { id } = await make()
  await Promise.all(
    [1, 2, 3, 4].map((at) => chat.call('PUT', `/assistants/${id}`, { description: `Number ${at}` })),
  )
  expect((await versions(id)).items.map(({ version }: { version: number }) => version)).toEqual([
    5, 4, 3, 2, 1,
  ])
})

it('only editors see versions, and a restore keeps owner, company and status', async () => {
  const companyId = await aCompany(chat.app)
  const owner = await aUser(chat.app, { role: 'company_admin', companyId })
  const member = await aUser(chat.app, { role: 'member', companyId })
  const shared = { name: 'Shared', status: 'published', shared: true }
  const { body } = await chat.call('POST', '/assistants', shared, owner.headers)
  const path = `/assistants/${body.id}`
  expect(await chat.call('GET', path, undefined, member.headers)).toMatchObject({ status: 200 })
  expect((await chat.call('GET', `${path}/versions`, undefined, member.headers)).status).toBe(403)
  await chat.call('PUT', path, { description: 'Better' }, owner.headers)
  const back = await chat.call('POST', `${path}/versions/1/return`, undefined, owner.headers)
  expect(back.body).toMatchObject({ description: '', shared: true, status: 'published', own: true })
})
