import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aSession, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { processesOf } from '#tests/local-processes.ts'
import { anInstalledChat, installScriptedEngine, scriptedWords } from '#tests/scripted-engine.ts'
import { defaultLimits } from '../../wire/allowance.ts'
import { createLocalModels } from './local-models.ts'

const modelsDir = mkdtempSync(join(tmpdir(), 'atrium-local-process-'))
const folder = anInstalledChat(modelsDir, 'small')
anInstalledChat(modelsDir, 'large', { bytes: 400 * 1024 * 1024 })
let chat: Chat
beforeAll(async () => {
  const config = { ATRIUM_MODELS_DIR: modelsDir, ATRIUM_LOCAL_MODEL_MB: '300' }
  chat = await startChat({ app: { config }, user: { role: 'super_admin' } })
  installScriptedEngine(chat.app.dataDir)
})
afterAll(async () => {
  await chat?.close()
  rmSync(modelsDir, { recursive: true, force: true })
})

const ask = async (question: string, model = 'small') =>
  chat.ask(await chat.aSession({ modelName: `local/${model}` }), question)
type Stream = Awaited<ReturnType<typeof ask>>
const textOf = (stream: Stream) => stream.view()?.content ?? ''
const errorOf = (stream: Stream) => {
  const block = stream.view()?.blocks.find(({ type }) => type === 'error')
  return block?.type === 'error' ? block.error : null
}
const untilWords = (stream: Stream, count: number) =>
  expect.poll(() => textOf(stream).split(' ').length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(count)
const kill = () => {
  for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL')
}

describe('the process of a local model', { timeout: 240_000 }, () => {
  it('is replaced when killed during an answer, which then resumes [CX-19]', async () => {
    for (let round = 0; round < 3; round++) {
      const stream = await ask('words=40 ms=10')
      await untilWords(stream, 3)
      kill()
      await stream.ended
      expect([errorOf(stream), textOf(stream).trim()]).toEqual([null, scriptedWords(40).trim()])
    }
  })

  it('is replaced a limited number of times, and the text so far is kept', async () => {
    const stream = await ask('words=400 ms=10')
    await untilWords(stream, 3)
    const killing = setInterval(kill, 20)
    await stream.ended
    clearInterval(killing)
    expect(errorOf(stream)).toBe('The answer was cut off: the process of the model ended')
    expect(textOf(stream)).toMatch(/^word1 word2 word3/)
    expect(scriptedWords(400)).toContain(textOf(stream))
  })

  it('runs at low priority with one thread fewer than the cores', async () => {
    await (await ask('words=3')).ended
    const [pid = 0, ...others] = processesOf(folder)
    expect(others).toEqual([])
    expect(getPriority(pid)).toBe(10)
    const { threads } = JSON.parse(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').at(-2) ?? '')
    expect(threads).toBe(Math.max(1, Math.min(8, availableParallelism() - 1)))
  })

  it('is not started for a model larger than its memory limit', async () => {
    const stream = await ask('words=3', 'large')
    await stream.ended
    expect(errorOf(stream)).toBe(
      'This model is not available: it needs more than 300 MB of memory (ATRIUM_LOCAL_MODEL_MB)',
    )
    expect(processesOf(join(modelsDir, 'chats', 'large'))).toEqual([])
  })

  it('is killed when it exceeds its memory limit, and the text so far is kept', async () => {
    const stream = await ask('words=2000 ms=10 memory=400')
    await stream.ended
    expect(errorOf(stream)).toContain('it needs more than 300 MB of memory')
    expect(textOf(stream)).toContain(scriptedWords(10).trim())
    expect(processesOf(folder)).toEqual([])
  })

  it('ends after its idle time', async () => {
    const settings = { ...chat.app.deps.config, dataDir: chat.app.dataDir }
    const models = createLocalModels(settings, { idleMs: 4_000, limits: defaultLimits })
    await models.measure('small', 50, AbortSignal.timeout(60_000))
    expect(processesOf(folder)).toHaveLength(1)
    await expect.poll(() => processesOf(folder), { timeout: 30_000 }).toEqual([])
    models.close()
  })

  it('answers other users in turn and reports their place', async () => {
    const first = await ask('words=150 ms=10')
    await untilWords(first, 3)
    const other = await aUser(chat.app)
    const { id } = await aSession(chat.app, other, { modelName: 'local/small' })
    const { headers } = other
    const body = { content: 'words=3' }
    const second = await openStream(`${chat.url}/sessions/${id}/messages`, { method: 'POST', headers, body })
    await Promise.all([first.ended, second.ended])
    const told = second.wire.filter(({ event }) => event === 'model_waiting')
    expect(told.map(({ data }) => JSON.parse(data).limit)).toEqual([{ of: 'turn', ahead: 1 }, null])
    expect(textOf(second).trim()).toBe(scriptedWords(3).trim())
  })

  it('is replaced by the fallback of its model when it cannot run, with the reason', async () => {
    const choose = (name: string, fallback: string | null) =>
      chat.call('PATCH', `/installed-models/chat/${name}`, { fallback })
    expect((await choose('large', 'local/missing')).status).toBe(422)
    expect((await choose('large', 'local/large')).status).toBe(422)
    expect((await choose('large', 'compatible/scripted')).body).toMatchObject({
      fallback: 'compatible/scripted',
    })
    const stream = await ask('words=3', 'large')
    await stream.ended
    expect(stream.view()).toMatchObject({ status: 'completed', content: 'Hello from the scripted model.' })
    expect(stream.view()?.blocks).toContainEqual(
      expect.objectContaining({ type: 'fallback', reason: 'not_available' }),
    )
  })
})
