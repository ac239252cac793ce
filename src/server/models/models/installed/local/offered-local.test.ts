import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { fails } from '#tests/model-server.ts'

const modelsDir = mkdtempSync(join(tmpdir(), 'atrium-offered-local-'))
let chat: Chat
beforeAll(async () => {
  const folder = join(modelsDir, 'chats', 'small')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'model.gguf'), 'GGUF')
  const facts = { title: 'Small', context_tokens: 2048, tokens_per_second: 20 }
  writeFileSync(join(folder, 'facts.json'), JSON.stringify(facts))
  const config = { ATRIUM_MODELS_DIR: modelsDir }
  chat = await startChat({ app: { config }, user: { role: 'super_admin' } })
})
afterAll(async () => {
  await chat?.close()
  rmSync(modelsDir, { recursive: true, force: true })
})

const answer = async (modelName: string, document?: string) => {
  const sessionId = await chat.aSession({ modelName })
  if (document) await chat.call('POST', `/sessions/${sessionId}/documents/${document}`)
  const stream = await chat.ask(sessionId, 'When does the lease end?')
  await stream.ended
  return stream.view()
}

describe('a local model whose engine is missing', () => {
  it('fails in one sentence, with and without documents [CX-19]', async () => {
    const reader = await aReader(chat.app, chat.url, chat.user)
    const { body } = await reader.upload({ name: 'lease.txt', content: 'The lease ends in May 2027.' })
    await reader.processed(body.id)
    for (const document of [undefined, body.id]) {
      const view = await answer('local/small', document)
      expect(view?.status).toBe('error')
      expect(JSON.stringify(view)).toContain('its engine is not installed')
    }
  })

  it('reads text only and supports a temperature', async () => {
    const { models } = chat.app.deps
    expect(await models.sees('local/small')).toBe(false)
    expect((await models.find('local/small')).tuning).toEqual(['temperature', 'length'])
    await expect(models.sees('local/other')).rejects.toMatchObject({ code: 'not_available' })
  })

  it('can be the fallback of a provider’s model', async () => {
    const change = (fallback: string) =>
      chat.call('PATCH', '/model-connections/environment-compatible', {
        models: { 'compatible/scripted': { fallback } },
      })
    expect((await change('local/other')).status).toBe(422)
    expect((await change('local/small')).body.detail).toBeUndefined()
    chat.model.reply([fails(401, 'no such key')])
    const view = await answer('compatible/scripted')
    // The error names both failures.
    expect(JSON.stringify(view)).toContain('Small: ')
    expect(JSON.stringify(view)).toContain('no such key')
  })

  it('costs nothing, even after its removal', async () => {
    const usage = {
      ...{ input_tokens: 9, output_tokens: 9, cached_tokens: 0, reasoning_tokens: 0, estimated: false },
    }
    for (const id of ['local/small', 'local/removed'])
      expect(await chat.app.deps.models.price(id, usage)).toEqual({ amount: 0, unpriced: false })
  })
})
