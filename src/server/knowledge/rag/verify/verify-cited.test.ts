import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { fails, type ModelRequest, says } from '#tests/model-server.ts'

const MODEL = 'compatible/scripted'
const LEASE = 'The rent of the warehouse in Lyon is 4 200 euros a month. The tenant may keep cats.'

let chat: Chat
let lease: string
beforeAll(async () => {
  const config = {
    ...{ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_BILLING: 'on' },
    ATRIUM_CITATION_MODEL: 'reply',
  }
  chat = await startChat({ app: { config }, user: { balance: 100 } })
  const ada = await aReader(chat.app, chat.url, chat.user)
  lease = (await ada.upload({ name: 'lease.txt', content: LEASE })).body.id
  await ada.processed(lease)
})
afterAll(() => chat.close())
beforeEach(() => {
  chat.model.requests.length = 0
  chat.model.forget()
})

const judges = (...verdicts: unknown[]) => [
  says(JSON.stringify({ verdicts: verdicts.map((verdict, at) => ({ number: at + 1, verdict })) })),
]
const ask = async () => {
  const { body } = await chat.call('POST', '/rag/generate', { query: 'The rent?', model: MODEL })
  return body.doubts.map(({ kind, at, length }: { kind: string; at: number; length: number }) => [
    kind,
    body.answer
      .slice(at, at + length)
      .replace(/<.*/, '')
      .trim(),
  ])
}
const givenTo = (request: ModelRequest | undefined) => JSON.parse(String(request?.messages[1]?.content))

describe('citations verified by a model', () => {
  it('are judged in one call with all statements and their passages [CX-09]', async () => {
    chat.model.reply(
      [says('The rent is 4 200 euros [1]. Cats annoy the tenant daily [1].')],
      judges('supported', 'contradicted'),
    )
    expect(await ask()).toEqual([['contradicted', 'Cats annoy the tenant daily']])
    expect(chat.model.requests).toHaveLength(2)
    expect(givenTo(chat.model.requests[1])).toEqual({
      statements: [
        { number: 1, statement: 'The rent is 4 200 euros.', cites: [1] },
        { number: 2, statement: 'Cats annoy the tenant daily.', cites: [1] },
      ],
      passages: [{ number: 1, text: LEASE }],
    })
  })

  it('lose doubts about words that the model supports, and keep doubts about numbers [CX-09]', async () => {
    chat.model.reply(
      [says('Purring companions remain welcome there [1]. The rent is 9 999 euros [1].')],
      judges('supported', 'supported'),
    )
    expect(await ask()).toEqual([['numbers', 'The rent is 9 999 euros']])
  })

  it.each([
    ['fails', [fails(400)]],
    ['answers something else', [says('I would rather not.')]],
    ['returns an unknown verdict', judges('perhaps', 7)],
  ])('are checked by rules alone when the model %s', async (_, verdicts) => {
    chat.model.reply([says('Purring companions remain welcome there [1].')], verdicts)
    expect(await ask()).toEqual([['unsupported', 'Purring companions remain welcome there']])
  })

  it('are not sent when nothing is cited', async () => {
    chat.model.reply([says('The rent is 9 999 euros.')])
    expect((await ask())[0]).toEqual(['no_source', ''])
    expect(chat.model.requests).toHaveLength(1)
  })

  it('are charged to the user who asked', async () => {
    const booked = async () => (await chat.call('GET', '/users/me/billing?limit=100')).body
    const before = await booked()
    chat.model.reply([says('The rent is 4 200 euros [1].')], judges('supported'))
    await ask()
    const after = await booked()
    expect(after.total).toBe(before.total + 2)
    expect(after.items.slice(0, 2)).toMatchObject([
      { reason: 'documents', model_name: MODEL },
      { reason: 'documents', model_name: MODEL },
    ])
  })

  it('are judged in a chat after the reply [CX-09]', async () => {
    const id = await chat.aSession({ metadata: { agent_type: 'single_turn' } })
    await chat.call('POST', `/sessions/${id}/documents/${lease}`)
    chat.model.reply([says('The rent is 4 200 euros [1].')], judges('contradicted'))
    const stream = await chat.ask(id, 'The rent?')
    await stream.ended
    const text = stream.view()?.blocks.findLast((block) => block.type === 'text')
    expect(text).toMatchObject({ doubts: [{ kind: 'contradicted', at: 0 }] })
    expect(chat.model.requests).toHaveLength(2)
  })
})
