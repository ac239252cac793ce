import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { findSmallModel, startMirror } from '#tests/small-model.ts'

const small = await findSmallModel()

describe.skipIf(small.problem !== null)(`a chat model of this machine ${small.problem ?? ''}`, () => {
  if (small.problem !== null) return
  let chat: Chat
  let reader: Reader
  let mirror: Awaited<ReturnType<typeof startMirror>>
  const modelsDir = mkdtempSync(join(tmpdir(), 'atrium-local-models-'))
  beforeAll(async () => {
    mirror = await startMirror(small.file)
    chat = await startChat({
      app: {
        config: {
          ATRIUM_MODEL_HUB: mirror.origin,
          ATRIUM_LOCAL_MODEL_TOKENS: '2048',
          ATRIUM_MODELS_DIR: modelsDir,
          ATRIUM_TITLES: 'model',
        },
      },
      user: { role: 'super_admin' },
    })
    reader = await aReader(chat.app, chat.url, chat.user)
    symlinkSync(join(small.engineHome, 'engine'), join(chat.app.dataDir, 'engine'))
  })
  afterAll(async () => {
    await chat?.close()
    mirror?.close()
    rmSync(modelsDir, { recursive: true, force: true })
  })

  const find = async (name: string) => {
    const { body } = await chat.call('GET', '/installed-models')
    return body.models.find((one: { name: string }) => one.name === name)
  }
  const ended = async (name: string) => {
    await expect.poll(async () => (await find(name))?.state, { timeout: 500_000 }).not.toBe('installing')
    return find(name)
  }
  const install = (
    name: string,
    sums = small.sum,
    source: object = { address: `${mirror.origin}/g/m.gguf` },
  ) => chat.call('POST', '/installed-models', { kind: 'chat', name, source, sums })

  it('is installed from a mirror with a resumed download, and answers in a chat [CX-19]', {
    timeout: 900_000,
  }, async () => {
    mirror.state.cutAt = 200 * 1024 * 1024
    const began = await install('gemma')
    expect([began.status, began.body.detail]).toEqual([202, undefined])
    const found = await ended('gemma')
    expect(found).toMatchObject({ state: 'ready', problem: null, id: 'local/gemma' })
    expect(found.trial.max_tokens).toBe(2048)
    expect(mirror.asked.map(({ range }) => range)).toEqual([
      undefined,
      expect.stringMatching(/^bytes=\d{6,}-$/),
    ])

    const models = (await chat.call('GET', '/available-models')).body
    expect(models.find(({ id }: { id: string }) => id === 'local/gemma')).toMatchObject({
      ...{ context_tokens: 2048, local: true, provider: 'local' },
    })
    const sessionId = await chat.aSession({ modelName: 'local/gemma' })
    const stream = await chat.ask(sessionId, 'Say hello')
    await stream.ended
    const view = stream.view()
    expect([view?.status, stream.wire.at(-1)?.data]).toEqual(['completed', expect.any(String)])
    expect(view?.content.length).toBeGreaterThan(0)
    const sourceOf = () =>
      chat.app.deps.db
        .selectFrom('sessions')
        .select('title_source')
        .where('id', '=', sessionId)
        .executeTakeFirst()
    await expect.poll(sourceOf, { timeout: 400_000 }).toEqual({ title_source: 'model' })
  })

  it('is rejected if its hash differs, and its partial file is removed', { timeout: 600_000 }, async () => {
    mirror.state.cutAt = null
    await install('altered', 'a'.repeat(64))
    expect(await ended('altered')).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('model.gguf is not what was stated'),
    })
    expect(
      (await chat.call('GET', '/available-models')).body.map(({ id }: { id: string }) => id),
    ).not.toContain('local/altered')
  })

  it('is uploaded as a GGUF file only', { timeout: 600_000 }, async () => {
    const bytes = (text: string) => Buffer.from(text)
    const wrong = await reader.upload(
      { name: 'm.gguf', content: bytes('<html>') },
      '/installed-models/uploads/wrong',
    )
    expect(wrong.status).toBe(422)
    const sent = await reader.upload(
      { name: 'm.gguf', content: bytes('GGUF…') },
      '/installed-models/uploads/mine',
    )
    expect(sent).toMatchObject({
      status: 201,
      body: { name: 'mine', kind: 'chat', has_sums: true, problem: null },
    })
    const again = await reader.upload(
      { name: 'm.gguf', content: bytes('GGUF') },
      '/installed-models/uploads/mine',
    )
    expect(again.status).toBe(409)
    // The engine cannot load the file, and the page says so.
    expect((await install('mine', '', { folder: 'mine' })).status).toBe(202)
    expect((await ended('mine')).problem).toContain('This model is not available')
  })
})
