import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { cuts, type ModelRequest, says } from '#tests/model-server.ts'
import { createCorpusPort } from './corpus.ts'

let chat: Chat
let ada: Reader
let ids: string[]
beforeAll(async () => {
  const config = { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_LIMIT_READ_TOKENS: '4000' }
  chat = await startChat({ app: { config } })
  ada = await aReader(chat.app, chat.url, chat.user)
  ids = [await read('lease.txt', LEASE), await read('menu.txt', MENU)]
})
afterAll(() => chat.close())
beforeEach(() => {
  chat.model.requests.length = 0
  chat.model.forget()
  chat.model.always(noting)
})

const LEASE = 'The notice period of the lease is three months.'
const MENU = 'On Tuesday the canteen serves soup with leeks.'

async function read(name: string, content: string): Promise<string> {
  const { body } = await ada.upload({ name, content })
  await ada.processed(body.id)
  return body.id
}

const toldTo = ({ messages }: ModelRequest) => JSON.stringify(messages)
/** Answers with one note per passage in the request, followed by the passage's number. */
const noting = (request: ModelRequest) => [
  says(
    Array.from(
      toldTo(request).matchAll(/\[(\d+)\] (.*?)(?=\\n)/g),
      ([, number, text]) => `- ${text} [${number}]`,
    ).join('\n'),
  ),
]

type Inputs = Record<string, unknown>
/** Executes a tool outside a chat and waits until it ends or asks. */
async function execute(tool: string, inputs: Inputs) {
  const { body } = await chat.call('POST', `/tools/${tool}/execute`, { inputs, session_id: await aChat() })
  return settled(body.tool_execution_id)
}
const aChat = () => chat.aSession()

async function settled(id: string, isWaiting = true) {
  for (;;) {
    const { body } = await chat.call('GET', `/tool-executions/${id}`)
    if (body.finished_at || (isWaiting && body.request)) return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const amountsOf = (result: { id: string }) =>
  chat.app.deps.db
    .selectFrom('ledger_entries')
    .innerJoin('tool_executions', 'tool_executions.run_id', 'ledger_entries.run_id')
    .select(['step_key', 'input_tokens'])
    .where('tool_executions.id', '=', result.id)
    .orderBy('step_key')
    .execute()

describe('reading a corpus', () => {
  it('reads every passage with the compressor and returns citations and coverage [XB-09]', async () => {
    const { result, error } = await execute('text_compressor', { intent: 'Summarise', document_ids: ids })
    expect(error).toBeNull()
    expect(result.coverage).toEqual({ read: 2, total: 2 })
    expect(result.response).toContain(LEASE.slice(0, -1))
    expect(result.passages.map(({ document_name }: { document_name: string }) => document_name)).toEqual([
      ...['lease.txt', 'menu.txt'],
    ])
    expect(result.sources).toMatchObject([
      { id: ids[0], rank: 1 },
      { id: ids[1], rank: 2 },
    ])
    // One call notes both, one answers.
    expect(chat.model.requests).toHaveLength(2)
  })

  it('retries a call after a transient failure and charges it once', async () => {
    chat.model.reply([says('- '), cuts()], [says('- x'), cuts()])
    const failing = await execute('text_compressor', { intent: 'Summarise', document_ids: ids })
    expect(failing.result.coverage).toEqual({ read: 2, total: 2 })
    expect(chat.model.requests).toHaveLength(4)
    const calm = await execute('text_compressor', { intent: 'Summarise', document_ids: ids })
    expect(await amountsOf(failing)).toEqual(await amountsOf(calm))
    expect(failing.result.response).toBe(calm.result.response)
  })

  it('reads every passage for count, list and compare questions, and reports the coverage [CX-07]', async () => {
    const { result } = await execute('document_search', { query: 'List all of our documents' })
    expect(result).toMatchObject({
      ...{ coverage: { read: 2, total: 2 }, searched: { documents: 2, passages: 2 }, doubts: [] },
      response: expect.stringMatching(/\n\nPassages read: 2 of 2, in 2 documents\.$/),
    })
    expect(result.sources).toHaveLength(2)
    const found = await execute('document_search', { query: 'How many soups are there?', read_all: false })
    expect(found.result.coverage).toBeUndefined()
    const wished = await execute('document_search', { query: 'soup', read_all: true })
    expect(wished.result.coverage).toEqual({ read: 2, total: 2 })
  })

  it('states the cost of a large reading and waits for approval [CX-07, XB-09]', async () => {
    const text = `${'The parties agree on what was said before. '.repeat(700)}\n`
    const inputs = { intent: 'Summarise', text }
    const asking = await execute('text_compressor', inputs)
    expect(asking.request).toMatchObject({ input_types: ['boolean'] })
    expect(asking.request.prompt).toMatch(
      /Read .* passages, with compatible\/scripted\? .* about [\d,]+ tokens/,
    )
    expect(chat.model.requests).toHaveLength(0)
    const answer = { input: true, input_type: 'boolean' }
    const path = `/tool-executions/${asking.id}/provide-input`
    expect(await chat.call('POST', path, answer)).toMatchObject({ status: 200 })
    const { result } = await settled(asking.id, false)
    expect(result.coverage.read).toBe(result.coverage.total)
    expect(result.coverage.total).toBeGreaterThan(4)
    const again = await execute('text_compressor', inputs)
    await chat.call('POST', `/tool-executions/${again.id}/provide-input`, { ...answer, input: false })
    expect((await settled(again.id, false)).error).toBe('The person declined this call.')
  })

  it('refuses a reading without content', async () => {
    expect((await execute('text_compressor', { intent: 'Summarise' })).error).toMatch(
      /^There is nothing to read/,
    )
  })

  it('skips passages that were deleted after the reading began, and counts them as unread', async () => {
    const gone = await read('gone.txt', 'The secret is in the third drawer.')
    const pieces = [...ids, gone]
    let toldSecret = false
    chat.model.always((request) => {
      toldSecret ||= toldTo(request).includes('third drawer')
      return noting(request)
    })
    const input = { user_id: chat.user.id, language: 'en', model_name: 'compatible/scripted' }
    const run = { input: { ...input, standalone: { session_id: null, input: '' } } } as never
    const port = createCorpusPort(chat.app.deps, run, new AbortController().signal, () => null)
    const corpus = await port.fix({ document_ids: pieces })
    await ada.call('DELETE', `/documents/${gone}`)
    const notes = await Promise.all(corpus.pieces.map((piece) => port.note({ task: 'Summarise' }, piece)))
    const { coverage, response } = await port.answer({ task: 'Summarise' }, corpus, notes, () => undefined)
    expect([coverage, toldSecret]).toEqual([{ read: 2, total: 3 }, false])
    expect(response).not.toContain('drawer')
  })
})

describe('the built-in model', () => {
  it.each([
    ['Summarise this document', 'The notice period of the lease is three months'],
    ['Résume ce document', 'The notice period of the lease is three months'],
  ])('reads the document for: %s', async (asked, said) => {
    const sessionId = await chat.aSession({ modelName: 'atrium/offline' })
    await ada.call('POST', `/sessions/${sessionId}/documents/${ids[0]}`)
    const stream = await chat.ask(sessionId, asked)
    await stream.ended
    const blocks = stream.view()?.blocks ?? []
    const tool = blocks.find((block) => block.type === 'tool')
    expect(tool).toMatchObject({ tool_id: 'text_compressor', status: 'complete' })
    expect(stream.view()?.content).toContain(said)
    expect(stream.view()?.content).toMatch(/<citation chunk=/)
  })

  it('reads every document for a question about all of them [CX-07]', async () => {
    const sessionId = await chat.aSession({ modelName: 'atrium/offline' })
    const stream = await chat.ask(sessionId, 'List every notice period in all of our documents')
    await stream.ended
    const tool = stream.view()?.blocks.find((block) => block.type === 'tool')
    expect(tool).toMatchObject({ tool_id: 'document_search', status: 'complete', input: { read_all: true } })
    expect(stream.view()?.content).toContain('The notice period of the lease is three months')
    expect(stream.view()?.content).toMatch(/Passages read: (\d+) of \1, in \d documents\.$/)
  })
})
