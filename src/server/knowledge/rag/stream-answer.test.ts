import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { fails, says } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
})
afterAll(() => chat.close())
beforeEach(() => chat.model.forget())

const MODEL = 'compatible/scripted'

async function aLibrary(): Promise<Reader> {
  const ada = await aReader(chat.app, chat.url)
  const { body } = await ada.upload({ name: 'lease.txt', content: 'The rent is 4 200 euros.' })
  await ada.processed(body.id)
  return ada
}

/** Returns the events of a streamed answer. */
async function stream(who: Reader, question: object) {
  const response = await fetch(`${chat.url}/rag/generate`, {
    method: 'POST',
    headers: { ...who.user.headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'What is the rent?', model: MODEL, ...question }),
  })
  const text = await response.text()
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return { status: response.status, body: JSON.parse(text), names: [], said: [] }
  const said: { event: string; data: Record<string, unknown> }[] = []
  createParser({ onEvent: ({ event = '', data }) => said.push({ event, data: JSON.parse(data) }) }).feed(text)
  return { status: response.status, body: null, names: said.map(({ event }) => event), said }
}

describe('a streamed answer from the library', () => {
  it('streams each stage as it begins, the found passages, the text and the answer', async () => {
    const ada = await aLibrary()
    chat.model.reply([says('The rent is ', '4 200 euros [1].')])
    const { names, said } = await stream(ada, { reranker_name: 'cosine_similarity_reranker' })
    expect(names.filter((name) => name !== 'rag_text_written')).toEqual([
      ...[
        'rag_phase_started',
        'rag_phase_started',
        'rag_passages_found',
        'rag_phase_started',
        'rag_answered',
      ],
    ])
    const of = (name: string) => said.filter(({ event }) => event === name).map(({ data }) => data)
    expect(of('rag_phase_started').map(({ phase }) => phase)).toEqual([
      'RETRIEVAL',
      'RERANKING',
      'GENERATION',
    ])
    const [answer] = of('rag_answered').map(({ answer }) => answer)
    expect(answer).toMatchObject({ is_answered: true, ...of('rag_passages_found')[0] })
    expect(of('rag_passages_found')[0]).toMatchObject({
      search_results: { search_type: 'hybrid', total: 1, documents: 1 },
      reranking_results: { status: 'done', reranker: 'cosine_similarity_reranker', detail: null },
    })
    const texts = of('rag_text_written').map(({ text }) => text)
    expect(texts.length).toBeGreaterThan(1)
    expect(answer).toMatchObject({ answer: texts.join('') })
  })

  it('is refused like any call before it begins, and reports later failures in the stream', async () => {
    const ada = await aLibrary()
    expect(await stream(ada, { query: ' ' })).toMatchObject({
      ...{ status: 422, body: { detail: 'Please enter a query' } },
    })
    chat.model.reply([fails(400)])
    const { status, names, said } = await stream(ada, {})
    expect([status, names.at(-1)]).toEqual([200, 'rag_failed'])
    expect(said.at(-1)?.data).toMatchObject({ code: 'provider_failed', detail: expect.any(String) })
  })

  it('names the documents that could not be searched', async () => {
    const ada = await aLibrary()
    const { body } = await ada.upload({ name: 'broken.txt', content: 'The rent is gone.' })
    await ada.processed(body.id)
    const { db } = chat.app.deps
    await db.updateTable('documents').set({ status: 'failed' }).where('id', '=', body.id).execute()
    chat.model.reply([says('The rent is 4 200 euros [1].')])
    const answer = await ada.call('POST', '/rag/generate', { query: 'rent', model: MODEL })
    expect(answer.body.left_out).toEqual({
      reading: { documents: 0, names: [] },
      failed: { documents: 1, names: ['broken.txt'] },
    })
  })
})
