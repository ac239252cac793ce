import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { fails, type ModelRequest, says } from '#tests/model-server.ts'

const MODEL = 'compatible/scripted'
const BRIDGE = 'The bridge over the river was built by the engineer Moser and is 340 metres long.'
const ORCHARD = 'Le verger de la commune compte quatre-vingt-dix pommiers et il est ouvert en été.'

const GARDENS = ['north', 'south', 'east'].map(
  (side) => `The garden in the ${side} is the pride of the town and it is open in summer.`,
)

let chat: Chat
beforeAll(async () => {
  const config = { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_BILLING: 'on' }
  chat = await startChat({ app: { config }, user: { balance: 100 } })
  const ada = await aReader(chat.app, chat.url, chat.user)
  const contents = [BRIDGE, ORCHARD, ...GARDENS]
  await Promise.all(
    contents.map(async (content, at) =>
      ada.processed((await ada.upload({ name: `${at}.txt`, content })).body.id),
    ),
  )
}, 120_000)
afterAll(() => chat.close())
beforeEach(() => {
  chat.model.requests.length = 0
  chat.model.forget()
})

const answers = [says('[1]')]
const translates = (translations: Record<string, string>) => [says(JSON.stringify({ translations }))]
const ask = async (query: string) => {
  const { body } = await chat.call('POST', '/rag/generate', { query, model: MODEL })
  return body.sources.map(({ text }: { text: string }) => text)
}
const givenTo = (request: ModelRequest | undefined) => JSON.parse(String(request?.messages[1]?.content))

describe('a question in another language than the library', () => {
  it('is also searched in the languages of the passages [CX-11]', async () => {
    chat.model.reply(
      translates({ en: 'How long is the bridge?', fr: 'Quelle est la longueur du pont ?' }),
      answers,
    )
    expect((await ask('Wie lang ist die Brücke und wer hat sie geplant?'))[0]).toBe(BRIDGE)
    expect(givenTo(chat.model.requests[0])).toEqual({
      question: 'Wie lang ist die Brücke und wer hat sie geplant?',
      languages: ['en', 'fr'],
    })
  })

  it('finds a passage by the wording in its language [CX-11]', async () => {
    chat.model.reply(translates({ fr: 'Combien de pommiers compte le verger ?' }), answers)
    const [first, second] = await ask('How many apple trees are there in the garden of the town?')
    expect([first, second]).toContain(ORCHARD)
    expect(givenTo(chat.model.requests[0]).languages).toEqual(['fr'])
  })

  it('is searched untranslated when the model cannot translate it', async () => {
    chat.model.reply([fails(400)], answers)
    expect((await ask('Wie lang ist die bridge und wer ist Moser?'))[0]).toBe(BRIDGE)
    chat.model.reply([says('[]')], answers)
    expect((await ask('Wie lang ist die bridge und wer ist Moser?'))[0]).toBe(BRIDGE)
  })

  it('is translated at the expense of its user', async () => {
    const booked = async () => (await chat.call('GET', '/users/me/billing?limit=100')).body.total
    const before = await booked()
    chat.model.reply(translates({ fr: 'Où est le pont ?' }), answers)
    await ask('Where is the bridge over the river?')
    expect(await booked()).toBe(before + 2)
  })
})
