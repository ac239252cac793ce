import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

describe('the built-in model with every agent', () => {
  it.each(
    ['single_turn', 'multi_turn', 'plan_and_act', 'orchestrator'].flatMap((agent_type) => [
      { agent_type, question: 'Add 2 and 3, then multiply it by 7', answer: /5 × 7 = \*\*35\*\*\.$/ },
      {
        ...{ agent_type, question: 'Quelle est la moitié de trente, puis ajoute 1 234,5' },
        answer: /15 \+ 1\u202f234,5 = \*\*1\u202f249,5\*\*\.$/,
      },
      { agent_type, question: 'Who wrote Faust?', answer: /^I am not a language model and know no facts/ },
    ]),
  )('answers as $agent_type: $question', async ({ agent_type, question, answer }) => {
    const id = await chat.aSession({ metadata: { agent_type }, modelName: 'atrium/offline' })
    const stream = await chat.ask(id, question)
    await stream.ended
    expect(stream.view()?.content).toMatch(answer)
    expect(stream.view()?.status).toBe('completed')
  })

  it('tells the time in the time zone of the browser, and names UTC without one', async () => {
    const tell = async (zone?: string) => {
      const id = await chat.aSession({ modelName: 'atrium/offline' })
      const stream = await openStream(`${chat.url}/sessions/${id}/messages`, {
        method: 'POST',
        headers: { ...chat.user.headers, ...(zone && { 'x-time-zone': zone }) },
        body: { content: 'What time is it?' },
      })
      await stream.ended
      return stream.view()?.content
    }
    expect(await tell('Asia/Tokyo')).toMatch(/^It is \*\*\d\d:\d\d\*\* \(Asia\/Tokyo, UTC\+9\)\.$/)
    expect(await tell()).toMatch(/^It is \*\*\d\d:\d\d\*\* \(UTC\)\.$/)
    expect(await tell('Mars/Olympus')).toMatch(/\(UTC\)\.$/)
  })

  it.each(['single_turn', 'multi_turn', 'plan_and_act'])(
    'works on its last answer as %s',
    async (agent_type) => {
      const id = await chat.aSession({ metadata: { agent_type }, modelName: 'atrium/offline' })
      const tell = async (question: string) => {
        const stream = await chat.ask(id, question)
        await stream.ended
        return stream.view()?.content
      }
      expect(await tell('What is 6 * 7?')).toBe('6 × 7 = **42**.')
      expect(await tell('again')).toBe('6 × 7 = **42**.')
      expect(await tell('why?')).toMatch(/^Because I work by fixed rules/)
      expect(await tell('1914-1918')).toMatch(/range of years/)
    },
  )
})
