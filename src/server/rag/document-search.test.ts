import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '../../../tests/support/chat.ts'
import { aReader, type Reader } from '../../../tests/support/documents.ts'
import { calls, fails, type ModelRequest, says } from '../../../tests/support/model-server.ts'

let chat: Chat
let ada: Reader
let lease: string
let menu: string
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
/** The number a model knows a passage by, of the request it is in. */
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

/** The result of an execution, whole. */
async function resultOf(id: string | undefined) {
  const { body } = await chat.call('GET', `/tool-executions/${id}`)
  return body
}

describe('the tool document_search', () => {
  it('is called by a model, goes through its phases and answers with cited passages, paid for in the run', async () => {
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

  it('runs because a person chose it, and by the API, with the model of its chat', async () => {
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

  it('searches what is linked to the chat, or what is named, and else everything', async () => {
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
    expect(await namesAfter({ document_ids: [lease] })).toBe(searched('lease.txt'))
    await chat.call('DELETE', `/sessions/${id}/documents/${menu}`)
    expect(await namesAfter()).toBe(searched('lease.txt', 'menu.txt'))
  })

  it('tells the model what went wrong', async () => {
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
