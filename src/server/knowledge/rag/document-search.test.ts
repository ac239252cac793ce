import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, fails, type ModelRequest, says } from '#tests/model-server.ts'
import { aDocument } from '#tests/stored-document.ts'
import { readUser } from '../../identity/accounts/accounts.ts'
import type { RunInput } from '../../runs/runs/runs.ts'
import { areInScope } from '../search/search.ts'
import { scopeOfRun } from './chat-scope.ts'
import { scopeOfQuestion } from './document-port.ts'

let chat: Chat
let ada: Reader
let lease: string
let menu: string
/** Documents of the user that no search finds. */
let linked: string
let other: string
beforeAll(async () => {
  const config = { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' }
  chat = await startChat({ app: { config } })
  ada = await aReader(chat.app, chat.url, chat.user)
  lease = await read('lease.txt', LEASE)
  menu = await read('menu.txt', MENU)
})
afterAll(() => chat.close())
beforeEach(() => {
  chat.model.requests.length = 0
  chat.model.forget()
})

const LEASE = 'The rent of the warehouse in Lyon is 4 200 euros a month.'
const MENU = 'On Tuesday the canteen serves soup with leeks.'

async function read(name: string, content: string): Promise<string> {
  const { body } = await ada.upload({ name, content })
  await ada.processed(body.id)
  return body.id
}

const told = (request: ModelRequest | undefined) => JSON.stringify(request?.messages)
/** Returns the number of a passage in a request. */
const numberOf = (request: ModelRequest, text: string) => {
  const before = told(request).split(text)[0] ?? ''
  return before.match(/\[(\d+)\] $/)?.[1]
}
const search = (query: string, more = {}) => calls('document_search', { query, ...more })
const cites = (text: string, words: string) => (request: ModelRequest) => [
  says(`${words} [`, `${numberOf(request, text)}].`),
]

async function ask(sessionId: string, body: string | Record<string, unknown>) {
  const stream = await chat.ask(sessionId, body)
  await stream.ended
  const blocks = stream.view()?.blocks ?? []
  return { stream, tool: blocks.find((block) => block.type === 'tool') }
}

/** Returns the complete result of an execution. */
async function resultOf(id: string | undefined) {
  const { body } = await chat.call('GET', `/tool-executions/${id}`)
  return body
}

describe('document_search', () => {
  it('runs its phases for a model and answers with cited passages, charged to the run', async () => {
    const id = await chat.aSession()
    chat.model.reply([search('What is the rent?')], cites(LEASE, 'The rent is 4 200 euros'), [
      says('See above.'),
    ])
    const { stream, tool } = await ask(id, 'What do we pay for the warehouse?')
    const { result, status } = await resultOf(tool?.id)
    const [first] = result.sources
    expect(status).toBe('complete')
    expect(result).toMatchObject({
      question: 'What is the rent?',
      response: `The rent is 4 200 euros <citation chunk="${first.chunk_id}">[1]</citation>.`,
      ...{ is_answered: true, doubts: [], searched: { documents: 2, passages: 2 } },
    })
    expect(first).toMatchObject({
      ...{ document_id: lease, document_name: 'lease.txt', rank: 1 },
      ...{ used_in_response: true, place: { span: [0, 57] } },
    })
    const events = stream.events.map(({ event }) => event)
    const said = events.flatMap((event) =>
      event.event === 'tool_update' && event.data.phase ? [`${event.data.phase} ${event.data.status}`] : [],
    )
    expect(said).toEqual([
      ...['SEARCH_PREPARATION started', 'RETRIEVAL started', 'RERANKING started', 'RERANKING completed'],
      ...['GENERATION started', 'GENERATION completed'],
    ])
    const found = events.find(
      (event) =>
        event.event === 'tool_update' &&
        event.data.phase === 'RERANKING' &&
        event.data.status === 'completed',
    )
    expect(found).toMatchObject({
      data: { data: { passages: [{ chunk_id: first.chunk_id, rank: 1 }, { rank: 2 }] } },
    })
    const partial = events.flatMap((event) => (event.event === 'tool_partial_update' ? [event.content] : []))
    expect(partial.join('')).toBe(result.response)
    const { body } = await chat.call('GET', '/users/me/billing?limit=3')
    expect(body.items.map(({ reason }: { reason: string }) => reason)).toEqual([
      'reply',
      'documents',
      'reply',
    ])
  })

  it('runs on a user’s choice and by the API, with the model of its chat', async () => {
    const id = await chat.aSession()
    chat.model.reply([search('soup')], cites(MENU, 'Leeks'), [says('Leeks.')])
    const { tool } = await ask(id, { content: 'Soup?', tool_choice: 'document_search' })
    expect((await resultOf(tool?.id)).result.response).toContain('Leeks <citation')
    chat.model.reply(cites(MENU, 'Leeks'))
    const { body } = await chat.call('POST', '/tools/document_search/execute', {
      inputs: { query: 'soup' },
      session_id: id,
    })
    await expect
      .poll(async () => (await resultOf(body.tool_execution_id)).status, { timeout: 20_000 })
      .toBe('complete')
    expect((await resultOf(body.tool_execution_id)).result).toMatchObject({
      is_answered: true,
      question: 'soup',
    })
  })

  it('searches the documents linked to the chat or named within it, otherwise the whole library', async () => {
    const id = await chat.aSession()
    await chat.call('POST', `/sessions/${id}/documents/${menu}`)
    const namesAfter = async (more = {}) => {
      chat.model.reply([search('warehouse soup', more)], [says('NOT_IN_DOCUMENTS')], [says('No.')])
      const { tool } = await ask(id, { content: 'Go', tool_choice: 'document_search' })
      return (await resultOf(tool?.id)).result.response
    }
    const searched = (...names: string[]) =>
      `The documents do not contain an answer to this. Searched: ${names.map((name) => `“${name}”`).join(', ')}.`
    await chat.call('PATCH', `/sessions/${id}`, { session_metadata: { agent_type: 'single_turn' } })
    expect(await namesAfter()).toBe(searched('menu.txt'))
    expect(await namesAfter({ document_ids: [menu] })).toBe(searched('menu.txt'))
    await chat.call('DELETE', `/sessions/${id}/documents/${menu}`)
    expect(await namesAfter({ document_ids: [lease] })).toBe(searched('lease.txt'))
    expect(await namesAfter()).toBe(searched('lease.txt', 'menu.txt'))
  })

  it('reports failures to the model', async () => {
    const id = await chat.aSession()
    const stranger = await aReader(chat.app, chat.url)
    const theirs = (await stranger.upload({ name: 'a.txt', content: 'Secret' })).body.id
    chat.model.reply([search('secret', { document_ids: [theirs] })], [says('No.')])
    const { tool } = await ask(id, 'Look')
    expect(tool).toMatchObject({ status: 'error', error: 'You do not have access to this document.' })
    chat.model.reply([search('rent')], [fails(400, 'no such thing')], [says('No.')])
    const failed = await ask(id, 'Look')
    expect(failed.tool).toMatchObject({ status: 'error', error: expect.stringContaining('no such thing') })
  })
})

const REFUSED = /^This chat answers from documents chosen for it/

/** Returns the outcome of a tool call that a model makes in a chat. */
async function called(sessionId: string, tool: string, input: object, user: TestUser = chat.user) {
  chat.model.reply([calls(tool, input)], [says('Done.')])
  const url = `${chat.url}/sessions/${sessionId}/messages`
  const body = { content: 'Go' }
  const stream = await openStream(url, { method: 'POST', headers: user.headers, body })
  await stream.ended
  const block = stream.view()?.blocks.find(({ type }) => type === 'tool')
  return block?.type === 'tool' ? { status: block.status, error: block.error ?? '' } : null
}

async function aChatWith(document: string, user: TestUser = chat.user): Promise<string> {
  const { body } = await chat.call('POST', '/sessions', {}, user.headers)
  await chat.call('POST', `/sessions/${body.id}/documents/${document}`, undefined, user.headers)
  return body.id
}

describe('a chat with chosen documents', () => {
  beforeAll(async () => {
    linked = (await aDocument(chat.app, chat.user)).documentId
    other = (await aDocument(chat.app, chat.user)).documentId
  })

  it.each(['document_search', 'text_compressor', 'code_interpreter'])(
    'stops %s from reading another document that a model names',
    async (tool) => {
      const input = { query: 'What?', intent: 'What?', request: 'Add it up' }
      const id = await aChatWith(linked)
      const done = await called(id, tool, { ...input, document_ids: [linked, other] })
      expect(done).toMatchObject({ status: 'error', error: expect.stringMatching(REFUSED) })
    },
  )

  it('is not widened by a workspace that a model names', async () => {
    const { body: space } = await chat.call('POST', '/workspaces', { name: 'Private' })
    await chat.call('POST', `/documents/workspace/${space.id}/documents`, { document_ids: [other] })
    const id = await aChatWith(linked)
    const { db } = chat.app.deps
    const input = { session_id: id, library: { beside: [] } }
    const person = { kind: 'user' as const, ...(await readUser(chat.app.deps, chat.user.id)) }
    const wish = { workspace_ids: [space.id] }
    const scope = await scopeOfQuestion({ db }, person, { input: input as unknown as RunInput }, wish)
    expect(await areInScope(db, person, scope ?? {}, [other])).toBe(false)
    expect(await areInScope(db, person, wish, [other])).toBe(true)
  })

  it('keeps its scope when its last document is removed during a run', async () => {
    const { body } = await chat.call('POST', '/sessions', {})
    const { db } = chat.app.deps
    expect(await scopeOfRun({ db }, { session_id: body.id })).toBeNull()
    const begun = { session_id: body.id, library: { beside: [] } }
    expect(await scopeOfRun({ db }, begun)).toMatchObject({ session_id: body.id })
  })

  it('reads only the documents of its assistant', async () => {
    const made = await chat.call('POST', '/assistants', { name: 'Desk', documents: [linked] })
    const { body } = await chat.call('POST', '/sessions', { assistant_id: made.body.id })
    const done = await called(body.id, 'document_search', { query: 'What?', document_ids: [other] })
    expect(done).toMatchObject({ status: 'error', error: expect.stringMatching(REFUSED) })
  })

  it('lets a user who executes a tool name any document they may read', async () => {
    const id = await aChatWith(linked)
    const inputs = { query: 'What?', document_ids: [other] }
    const { body } = await chat.call('POST', '/tools/document_search/execute', { inputs, session_id: id })
    const ended = async () => (await chat.call('GET', `/tool-executions/${body.tool_execution_id}`)).body
    await expect.poll(async () => (await ended()).finished_at, { timeout: 30_000 }).not.toBeNull()
    expect((await ended()).error ?? '').not.toMatch(REFUSED)
  })
})

describe('documents of other users', () => {
  it('are not readable from a chat that searches the whole library', async () => {
    const stranger = await aUser(chat.app)
    const { body } = await chat.call('POST', '/sessions', {}, stranger.headers)
    const done = await called(body.id, 'document_search', { query: 'What?', document_ids: [other] }, stranger)
    expect(done).toEqual({ status: 'error', error: 'You do not have access to this document.' })
  })

  it('are not readable when a company shares them and the chat has chosen documents', async () => {
    const companyId = await aCompany(chat.app)
    const [boss, mate] = [
      await aUser(chat.app, { role: 'company_admin', companyId }),
      await aUser(chat.app, { role: 'member', companyId }),
    ]
    const { documentId: shared } = await aDocument(chat.app, boss)
    const { documentId: own } = await aDocument(chat.app, mate)
    const { db } = chat.app.deps
    await db.updateTable('documents').set({ company_id: companyId }).where('id', '=', shared).execute()
    const id = await aChatWith(own, mate)
    const done = await called(id, 'document_search', { query: 'What?', document_ids: [shared] }, mate)
    expect(done).toMatchObject({ status: 'error', error: expect.stringMatching(REFUSED) })
  })

  it('are not readable for a visitor of an embedded assistant, even when its model names them', async () => {
    const made = await chat.call('POST', '/assistants', { name: 'Desk', documents: [linked] })
    const wish = { name: 'Site', origins: ['https://a.example'], days: 30, messages_a_day: 5 }
    const { token } = (await chat.call('POST', `/assistants/${made.body.id}/embeds`, wish)).body
    const visit = await chat.call('POST', '/embed/visits', { token, language: 'en' }, { authorization: '' })
    const headers = { authorization: `Bearer ${visit.body.visit}` }
    const begun = await chat.call('POST', '/embed/chats', undefined, headers)
    const visitor = { ...chat.user, headers } as TestUser
    const input = { query: 'What?', document_ids: [other] }
    const done = await called(begun.body.session_id, 'document_search', input, visitor)
    expect(done).toMatchObject({ status: 'error' })
    expect(done?.error).toMatch(/do not have access|^This chat answers/)
  })
})
