import { afterAll, beforeAll, expect, it } from 'vitest'
import { aCompany, aSession, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'
import { says } from '#tests/model-server.ts'

let chat: Chat
let owner: Reader
let colleague: Reader
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  const companyId = await aCompany(chat.app)
  owner = await aReader(chat.app, chat.url, await aUser(chat.app, { role: 'company_admin', companyId }))
  colleague = await aReader(chat.app, chat.url, await aUser(chat.app, { role: 'member', companyId }))
})
afterAll(() => chat.close())

async function read(name: string, content: string): Promise<string> {
  const { body } = await owner.upload({ name, content })
  await owner.processed(body.id)
  return body.id
}

/** Returns the document text sent to the model in a chat of the assistant. */
async function told(reader: Reader, assistantId: string, content: string): Promise<string> {
  const { id } = await aSession(chat.app, reader.user, { modelName: 'compatible/scripted' })
  await reader.call('PUT', `/sessions/${id}/assistant`, { assistant_id: assistantId })
  chat.model.reply([says('So.')])
  const stream = await openStream(`${chat.url}/sessions/${id}/messages`, {
    ...{ method: 'POST', headers: reader.user.headers, body: { content } },
  })
  await stream.ended
  return JSON.stringify(chat.model.requests.at(-1)?.messages)
}

it("an assistant's documents and workspaces are searched in its chats, within the user's rights [XA-06]", async () => {
  const lease = await read('lease.txt', 'The rent of the warehouse in Lyon is 4 200 euros a month.')
  const menu = await read('menu.txt', 'On Tuesday the canteen in Lyon serves soup with leeks.')
  const secret = await read('secret.txt', 'The manager of the warehouse in Lyon earns 9 100 euros a month.')
  const apart = await read('apart.txt', 'The pool of the warehouse in Lyon is 25 metres long.')
  const { body: shelf } = await owner.call('POST', '/workspaces', { name: 'Lyon' })
  const put = (document_ids: string[]) =>
    owner.call('POST', `/documents/workspace/${shelf.id}/documents`, { document_ids })
  expect((await put([menu, secret])).body.total).toBe(2)
  for (const id of [lease, menu])
    expect((await owner.call('PATCH', `/documents/${id}`, { shared_access: true })).status).toBe(200)
  const wish = {
    name: 'Lyon desk',
    status: 'published',
    shared: true,
    documents: [lease],
    workspaces: [shelf.id],
  }
  const { status, body } = await owner.call('POST', '/assistants', wish)
  expect({ status, workspaces: body.workspaces }).toEqual({ status: 201, workspaces: [shelf.id] })
  const question = 'What is said of Lyon: rent, canteen, manager, pool?'
  const own = await told(owner, body.id, question)
  for (const words of ['4 200 euros', 'soup with leeks', '9 100 euros']) expect(own).toContain(words)
  expect(own).not.toContain('25 metres')
  const theirs = await told(colleague, body.id, question)
  for (const words of ['4 200 euros', 'soup with leeks']) expect(theirs).toContain(words)
  for (const words of ['9 100 euros', '25 metres']) expect(theirs).not.toContain(words)
  // A document added later to the workspace is found too.
  await put([apart])
  expect(await told(owner, body.id, question)).toContain('25 metres')
  // Versions and export files keep the workspaces; an importer without access is informed.
  const { body: file } = await owner.call('GET', `/assistants/${body.id}/export`)
  expect(file.workspaces).toEqual([{ id: shelf.id, name: 'Lyon' }])
  const imported = await colleague.call('POST', '/assistants/import', file)
  expect(imported.body).toMatchObject({ assistant: { workspaces: [] }, left_out: { workspaces: 1 } })
})
