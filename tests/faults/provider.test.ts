import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Chat, startChat } from '../support/chat.ts'
import { cleanAfterEach } from '../support/cleanups.ts'
import { cuts, hangs, type Move, says } from '../support/model-server.ts'

const patience = { firstMs: 600, quietMs: 600, idleMs: 600, attempts: 2, backoffMs: 20 }
const late = 'The model provider did not answer in time.'

const { afterwards } = cleanAfterEach()

async function aChat(url?: string): Promise<Chat> {
  const config = url ? { ATRIUM_COMPATIBLE_URL: url } : undefined
  const chat = await startChat({ app: { patience, ...(config ? { config } : {}) } })
  afterwards(() => chat.close())
  return chat
}

/** Sends a message, reads to the end, and returns the person's final view. */
async function askAndRead(chat: Chat, session: string) {
  const started = Date.now()
  const stream = await chat.ask(session, 'Hello?')
  await stream.ended
  const { body } = await chat.call('GET', `/sessions/${session}/active-branch`)
  const reply = body.active_branch.at(-1)
  const error = stream.wire.find(({ event }) => event === 'agent_processing_error')
  return {
    took: Date.now() - started,
    reply,
    error: error ? JSON.parse(error.data) : null,
    view: stream.view(),
  }
}

/** Starts a server that accepts connections and never answers. */
async function aSilentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => undefined))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(() => server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`
}

describe('hanging provider', () => {
  it.each<[string, Move[][], string, string]>([
    ['before its first word', [[hangs()], [hangs()]], '', late],
    ['in the middle', [[says('Half ', 'an '), hangs()]], 'Half an ', late],
    ['and hangs up', [[says('Half ', 'an '), cuts()]], 'Half an ', 'The answer was cut off.'],
  ])('%s: the reply ends with a clear error and the text there was', async (_, scripts, text, sentence) => {
    const chat = await aChat()
    const session = await chat.aSession()
    chat.model.reply(...scripts)
    const { took, reply, error, view } = await askAndRead(chat, session)
    expect(took).toBeLessThan(60_000)
    expect(error).toMatchObject({ error: sentence, code: 'provider_failed' })
    expect(reply).toMatchObject({ status: 'error', content: text })
    expect(reply.blocks.at(-1)).toMatchObject({ type: 'error', error: sentence, code: 'provider_failed' })
    expect(view).toMatchObject({ status: 'error', content: text, blocks: reply.blocks })
    chat.model.reply([says('All well.')])
    expect((await askAndRead(chat, session)).reply).toMatchObject({
      status: 'completed',
      content: 'All well.',
    })
  })

  it('does not block the list of models or a reply forever if it never answers', async () => {
    const chat = await aChat(await aSilentServer())
    const started = Date.now()
    const { status, body } = await chat.call('GET', '/available-models')
    expect(status).toBe(200)
    expect(body.map(({ id }: { id: string }) => id)).toEqual(['atrium/offline'])
    expect(Date.now() - started).toBeLessThan(60_000)
    const { reply } = await askAndRead(chat, await chat.aSession())
    expect(reply).toMatchObject({ status: 'error', content: '' })
    expect(reply.blocks.at(-1).error).toBe(late)
  })

  it('can be stopped immediately', async () => {
    const chat = await startChat()
    afterwards(() => chat.close())
    const session = await chat.aSession()
    chat.model.reply([says('Half '), hangs()])
    const stream = await chat.ask(session, 'Hello?')
    await stream.until('response_chunk')
    const asked = Date.now()
    expect((await chat.call('POST', `/sessions/${session}/stop`)).status).toBe(200)
    expect(Date.now() - asked).toBeLessThan(20_000)
    await stream.ended
    expect(stream.view()).toMatchObject({ status: 'completed', stopped: true, content: 'Half ' })
  })
})
