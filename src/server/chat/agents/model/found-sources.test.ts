import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, cites, cuts, type Move, says } from '#tests/model-server.ts'
import { goBack, resume } from '#tests/replays.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const page = { url: 'https://example.org/a?b=1', title: 'A page' }
const other = { url: 'http://www.example.com/' }

async function ask(...moves: Move[][]) {
  const sessionId = await chat.aSession()
  chat.model.reply(...moves)
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  const { body } = await chat.call('GET', `/sessions/${sessionId}/active-branch`)
  return { stream, stored: body.active_branch.at(-1).blocks as Block[] }
}

const textsIn = (blocks: readonly Block[] = []) => blocks.filter((block) => block.type === 'text')

describe('the sources a provider names', () => {
  it('are sent and stored with their text, numbered by first mention', async () => {
    const { stream, stored } = await ask([
      ...[says('It rains'), cites(page, other), says(' in Lyon.'), cites(page)],
    ])
    const sources = [
      { id: page.url, number: 1, title: 'A page', url: page.url },
      { id: other.url, number: 2, title: null, url: other.url },
    ]
    expect(textsIn(stored)).toMatchObject([{ text: 'It rains in Lyon.', sources }])
    expect(stream.view()?.blocks).toEqual(stored)
    const names = stream.events.map(({ event }) => event.event)
    expect(names.filter((name) => name === 'response_sources')).toHaveLength(1)
    expect(names.indexOf('response_sources')).toBeGreaterThan(names.lastIndexOf('response_chunk'))
  })

  it('stay with their own text, also after the server is killed', async () => {
    const sum = calls('calculator', { a: 1, operation: 'add', b: 2 })
    const { stream, stored } = await ask([says('First.'), cites(page), sum], [says('Second.'), cites(other)])
    expect(textsIn(stored).map(({ sources }) => sources?.map(({ id, number }) => [id, number]))).toEqual([
      [[page.url, 1]],
      [[other.url, 1]],
    ])
    const runId = stream.view()?.run_id ?? ''
    await goBack(chat, runId, 3)
    chat.model.reply([says('Second.'), cites(other)])
    const { reply } = await resume(chat, runId)
    expect(textsIn(reply.blocks)).toEqual(textsIn(stored))
  })

  it('are limited to web links, in length and in number', async () => {
    const many = Array.from({ length: 150 }, (_, n) => ({
      url: `https://example.org/${n}`,
      title: 'x'.repeat(999),
    }))
    const { stored } = await ask([
      says('Much.'),
      cites(
        { url: 'javascript:alert(1)' },
        { url: 'no address' },
        { url: 7 },
        { url: `https://a.b/${'c'.repeat(2_000)}` },
      ),
      cites({ ...other, title: 'half \ud800 and \0' }, ...many),
    ])
    const [{ sources = [] } = {}] = textsIn(stored)
    expect(sources).toHaveLength(100)
    expect(sources[0]).toMatchObject({ title: 'half � and', url: other.url })
    expect(sources[1]?.title).toBe(`${'x'.repeat(300)}…`)
  })

  it('are stored with the text of an answer that broke off', async () => {
    const { stored } = await ask([says('It rains'), cites(page), cuts()])
    expect(textsIn(stored)).toMatchObject([{ text: 'It rains', sources: [{ id: page.url }] }])
  })
})
