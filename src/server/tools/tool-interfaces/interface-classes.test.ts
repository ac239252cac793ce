import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { aCompany } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aClassified, aReplyWith, classesOf, restrict } from '#tests/classified.ts'

let house: ApiServer
let chat: Chat
beforeAll(async () => {
  house = await startApiServer()
  house.answer(({ path }) => (path === '/ui.js' ? { body: 'export {}' } : { body: { score: 71 } }))
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: house.url } } })
})
afterAll(async () => {
  await chat.close()
  await house.close()
})

it('an interface sends no text of a chat to tools that may not receive its class [GV-01]', async () => {
  const company = await aCompany(chat.app, 'Orsane')
  await sql`insert into company_members (company_id, user_id) values (${company}, ${chat.user.id})`.execute(
    chat.app.deps.db,
  )
  const classes = await classesOf(chat.app, company)
  const id = await aClassified(chat.app, chat.user, classes[2]!)
  const { sessionId } = await aReplyWith(chat.app, chat.user, { sources: [{ kind: 'document', id }] })
  await restrict(chat.app, company, 'tools', classes.slice(0, 2))
  const input = { name: 'q', place: 'query', description: '', required: true, schema: { type: 'string' } }
  const call = { method: 'GET', address: `${house.url}/score`, inputs: [input] }
  const { body: tool } = await chat.call('POST', '/tools', { ui_name: 'Score', description: 'Scores.', call })
  await chat.call('PUT', `/tools/${tool.id}/interface`, { ui: { url: `${house.url}/ui.js` } })
  house.asked.length = 0
  const execute = async (session: string, more: object) => {
    const wish = { inputs: { q: 'x' }, session_id: session, ...more }
    const { body } = await chat.call('POST', `/tools/${tool.id}/execute`, wish)
    const read = async () => (await chat.call('GET', `/tool-executions/${body.tool_execution_id}`)).body
    await expect.poll(async () => (await read()).finished_at, { timeout: 10_000 }).not.toBeNull()
    return read()
  }
  const refused = await execute(sessionId, { interface_of: tool.id })
  expect(refused).toMatchObject({
    status: 'error',
    error: expect.stringContaining('has the class “Confidential”'),
  })
  expect(house.asked).toEqual([])
  // Typed text, and an interface in a chat without the document, are free.
  expect(await execute(sessionId, {})).toMatchObject({ status: 'complete' })
  expect(await execute(await chat.aSession(), { interface_of: tool.id })).toMatchObject({
    status: 'complete',
  })
})
