import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import type { Reader } from '#tests/documents.ts'
import { aProjectHouse } from '#tests/project-people.ts'

let app: TestApp
let house: Awaited<ReturnType<typeof aProjectHouse>>
let ada: Reader
let ben: Reader
const [assistant_id = ''] = builtInIds
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  house = await aProjectHouse(app)
  ada = await house.aColleague()
  ben = await house.aColleague()
})
afterAll(() => app.close())

const instructions = (text: string) => ({ instructions: { text, based_on: 0 } })

/** Creates a project of Ada that Ben reads, with every part. */
async function aSource() {
  const id = await house.aProject(ada, 'Leases')
  await house.add(ada, id, 'reader', ben.user.id)
  const settings = { description: 'Rents', colour: 'red', icon: 'scale', assistant_id }
  await ada.call('PUT', `/projects/${id}`, { ...settings, ...instructions('Answer in one sentence.') })
  await ada.call('POST', '/facts', { text: 'The year begins in June', workspace_id: id })
  const document = await house.aDocument(ada, id)
  const [shared, secret] = [await house.aChat(ada, id), await house.aChat(ada, id, false)]
  return { id, document, shared, secret }
}

const copy = async (as: Reader, source: string, wish: object = {}) => {
  const id = randomUUID()
  const answer = await as.call('POST', `/projects/${source}/copies`, { id, name: 'Copy', ...wish })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return { id, body: answer.body }
}
const countOf = async (as: Reader, path: string) => (await as.call('GET', path)).body.total
const chatsOf = async (as: Reader, id: string) =>
  (await as.call('GET', `/sessions?workspace_id=${id}`)).body.items
const everything = { documents: true, chats: true, memory: true }

/** Creates a prompt of a person and shares it with projects. */
async function aPrompt(owner: Reader, name: string, projects: string[], access = 'use'): Promise<string> {
  const command = `p-${randomUUID()}`
  const { body } = await owner.call('POST', '/prompts', { name, command, text: `${name}: {{who}}` })
  for (const id of projects) {
    const wish = { recipient: { who: 'project', id }, access }
    expect((await owner.call('POST', `/prompts/${body.id}/shares`, wish)).status).toBe(200)
  }
  return body.id
}

/** Returns the prompts that a person may use, except `without`. */
const promptsOf = async (as: Reader, without: string[] = []) => {
  const { body } = await as.call('GET', '/prompts?limit=100')
  return body.items.filter(({ id }: { id: string }) => !without.includes(id))
}

describe('a copy of a project', () => {
  it('has instructions, prompts, assistant and look, and chats and memory only on request [PJ-11]', async () => {
    const { id } = await aSource()
    await house.add(ada, id, 'writer', (await house.aColleague()).user.id)
    const own = await aPrompt(ben, 'Mine', [])
    const foreign = await aPrompt(ada, 'Theirs', [id], 'edit')
    const plain = await copy(ben, id)
    expect(plain.body).toMatchObject({
      ...{ description: 'Rents', colour: 'red', icon: 'scale', assistant: { id: assistant_id } },
      ...{ instructions: 'Answer in one sentence.', chat_count: 0, document_count: 0 },
    })
    expect(await countOf(ben, `/facts?workspace_id=${plain.id}`)).toBe(0)
    const cem = await house.aColleague()
    await house.add(ben, plain.id, 'writer', cem.user.id)
    const [prompt, ...others] = await promptsOf(cem)
    expect(others).toEqual([])
    expect(prompt.id).not.toBe(foreign)
    expect((await cem.call('GET', `/prompts/${prompt.id}`)).body).toMatchObject({
      ...{ name: 'Theirs', text: 'Theirs: {{who}}', own: false, can_edit: true },
      shared_by: ben.user.username,
    })
    expect((await cem.call('GET', `/prompts/${own}`)).status).toBe(403)
    const full = await copy(ben, id, { chats: true, memory: true })
    expect(await countOf(ben, `/facts?workspace_id=${full.id}`)).toBe(1)
    await expect.poll(async () => (await chatsOf(ben, full.id)).length, { timeout: 15_000 }).toBe(1)
  })

  it('is shared the prompts of the caller, and no prompt that the caller may not use', async () => {
    const { id } = await aSource()
    const own = await aPrompt(ada, 'Mine', [id])
    const dan = await house.aColleague()
    await house.add(ada, id, 'writer', dan.user.id)
    await aPrompt(dan, 'Left', [id])
    await ada.call('DELETE', `/projects/${id}/members/${await membershipOf(id, dan)}`)
    const before = (await promptsOf(ada)).map((one: { id: string }) => one.id)
    const made = await copy(ada, id)
    expect(await promptsOf(ada, before)).toEqual([])
    const cem = await house.aColleague()
    await house.add(ada, made.id, 'reader', cem.user.id)
    expect(await promptsOf(cem)).toMatchObject([{ id: own, name: 'Mine', own: false, can_edit: false }])
  })

  it('has its settings and belongs to the caller, without documents, chats, memory and members', async () => {
    const { id } = await aSource()
    const made = await copy(ben, id)
    expect(made.body).toMatchObject({
      ...{ id: made.id, name: 'Copy', description: 'Rents', colour: 'red', icon: 'scale' },
      ...{ instructions: 'Answer in one sentence.', instructions_version: 1 },
      ...{ assistant: { id: assistant_id }, is_owner: true, role: 'manager', member_count: 1 },
      ...{ document_count: 0, chat_count: 0, is_shared: false },
    })
    expect(await countOf(ben, `/facts?workspace_id=${made.id}`)).toBe(0)
    const { body } = await ben.call('GET', `/projects/${made.id}/instructions`)
    expect(body.items).toMatchObject([{ version: 1, saved_by: ada.user.username }])
  })

  it('has documents, chats and memory on request, each as far as the caller may read it', async () => {
    const { id, document } = await aSource()
    const made = await copy(ben, id, everything)
    expect(made.body.document_count).toBe(1)
    expect(await countOf(ben, `/facts?workspace_id=${made.id}`)).toBe(1)
    // The private chat of another member is left out.
    await expect.poll(async () => (await chatsOf(ben, made.id)).length, { timeout: 15_000 }).toBe(1)
    const [chat] = await chatsOf(ben, made.id)
    expect(chat.project).toMatchObject({ id: made.id, is_shared: false, author: null })
    // The document stays Ada's: members of the copy do not read it through Ben.
    const cem = await house.aColleague()
    await house.add(ben, made.id, 'reader', cem.user.id)
    expect((await cem.call('GET', `/documents/${document}`)).status).toBe(403)
    await ada.call('DELETE', `/projects/${id}/members/${await membershipOf(id, ben)}`)
    expect((await ben.call('GET', `/documents/${document}`)).status).toBe(403)
  })

  it('is made once by a repeated request, and leaves the source as it is', async () => {
    const { id } = await aSource()
    const before = (await ada.call('GET', `/projects/${id}`)).body
    const wish = { id: randomUUID(), name: 'Copy', ...everything }
    const answers = await Promise.all([1, 2, 3].map(() => ada.call('POST', `/projects/${id}/copies`, wish)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    await expect.poll(async () => (await chatsOf(ada, wish.id)).length, { timeout: 15_000 }).toBe(2)
    expect((await ada.call('GET', `/projects/${wish.id}`)).body.document_count).toBe(1)
    expect((await ada.call('GET', `/projects/${id}`)).body).toEqual(before)
    expect((await ben.call('POST', `/projects/${id}/copies`, wish)).status).toBe(409)
  })

  it('is refused to people outside of the project, also after they were removed', async () => {
    const { id } = await aSource()
    const cem = await house.aColleague()
    const wish = { id: randomUUID(), name: 'Copy' }
    expect((await cem.call('POST', `/projects/${id}/copies`, wish)).status).toBe(403)
    await ada.call('DELETE', `/projects/${id}/members/${await membershipOf(id, ben)}`)
    expect((await ben.call('POST', `/projects/${id}/copies`, wish)).status).toBe(403)
  })
})

async function membershipOf(project: string, { user }: Reader): Promise<string> {
  const { body } = await ada.call('GET', `/projects/${project}/members`)
  return body.items.find((one: { recipient_id: string }) => one.recipient_id === user.id).id
}
