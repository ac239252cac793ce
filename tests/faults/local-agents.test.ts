import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentType } from '#shared/runs/runs/agent-type.ts'
import { anApiKey } from '#tests/api-key.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { processesOf } from '#tests/local-processes.ts'
import { findSmallModel } from '#tests/small-model.ts'

/** Time after which an agent is stopped, so that a slow machine ends the test. */
const MAX_AGENT_MS = 20_000

const small = await findSmallModel()

describe.skipIf(small.problem !== null)(`chats with a local model ${small.problem ?? ''}`, () => {
  if (small.problem !== null) return
  let chat: Chat
  const modelsDir = mkdtempSync(join(tmpdir(), 'atrium-local-agents-'))
  const folder = join(modelsDir, 'chats', 'gemma')
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    symlinkSync(small.file, join(folder, 'model.gguf'))
    const facts = { title: 'Gemma', context_tokens: 2048, tokens_per_second: 20 }
    writeFileSync(join(folder, 'facts.json'), JSON.stringify(facts))
    const config = {
      ATRIUM_LOCAL_MODEL_TOKENS: '2048',
      ATRIUM_MODELS_DIR: modelsDir,
      ATRIUM_LIMIT_ANSWER_KB: '1',
    } as const
    chat = await startChat({ app: { config }, user: { role: 'super_admin' } })
    symlinkSync(join(small.engineHome, 'engine'), join(chat.app.dataDir, 'engine'))
  })
  afterAll(async () => {
    await chat?.close()
    rmSync(modelsDir, { recursive: true, force: true })
  })

  const ask = async (
    question: string,
    metadata: object = { agent_type: 'single_turn' },
    document?: string,
  ) => {
    const sessionId = await chat.aSession({ modelName: 'local/gemma', metadata: { ...metadata } })
    if (document) await chat.call('POST', `/sessions/${sessionId}/documents/${document}`)
    return { ...(await chat.ask(sessionId, question)), sessionId }
  }
  /** Returns the text of an ended reply, and its sentence if it failed. */
  const outcome = async (stream: Awaited<ReturnType<typeof ask>>) => {
    await stream.ended
    const failed = stream.wire.find(({ event }) => event === 'agent_processing_error')
    const view = stream.view()
    const sentence: string | null = failed ? JSON.parse(failed.data).error : null
    return { status: view?.status, content: view?.content ?? '', sentence }
  }
  const expectAnswer = ({ status, content, sentence }: Awaited<ReturnType<typeof outcome>>) => {
    expect(status).toMatch(/^(completed|error)$/)
    // Answers are cut after 1 kB, because the model rarely ends by itself.
    if (sentence === null) expect(content).not.toBe('')
    else expect(sentence).toBe('The answer of the model was longer than 1 kB and was cut.')
  }
  it.each(AgentType.options)(
    'answers, asks or is stopped as %s',
    { timeout: 300_000 },
    async (agent_type) => {
      const stream = await ask('Say hello', { agent_type })
      const stop = setTimeout(() => chat.call('POST', `/sessions/${stream.sessionId}/stop`), MAX_AGENT_MS)
      const ended = await outcome(stream)
      clearTimeout(stop)
      // Deep research shows its plan, and an orchestrator asks after a failed step.
      const asks = stream.wire.some(({ event }) => event === 'input_required')
      if (ended.status === 'waiting') expect(asks).toBe(true)
      else if (!stream.view()?.stopped) expectAnswer(ended)
    },
  )

  it('answers a question about a document', { timeout: 300_000 }, async () => {
    const reader = await aReader(chat.app, chat.url, chat.user)
    const content = 'The lease of the house in Lyon ends in May 2027.'
    const { body } = await reader.upload({ name: 'lease.txt', content })
    await reader.processed(body.id)
    expectAnswer(await outcome(await ask('When does the lease end?', {}, body.id)))
  })

  it('keeps the text of an answer whose process is killed, and resumes it', {
    timeout: 300_000,
  }, async () => {
    const stream = await ask('Tell a story')
    const text = () => stream.view()?.content ?? ''
    await expect.poll(() => text().length, { timeout: 200_000, interval: 20 }).toBeGreaterThan(20)
    const [pid = 0, ...others] = processesOf(folder)
    expect(others).toEqual([])
    process.kill(pid, 'SIGKILL')
    const before = text()
    const ended = await outcome(stream)
    expectAnswer(ended)
    expect(ended.content.slice(0, before.length)).toBe(before)
    expect(processesOf(folder)).not.toContain(pid)
    expect(processesOf(folder)).toHaveLength(1)
  })

  it('takes the seed of an API call', { timeout: 300_000 }, async () => {
    const { secret } = await anApiKey(chat.app, chat.user, { scopes: ['chat'] })
    const client = new OpenAI({ apiKey: secret, baseURL: chat.url.replace('/api/v1', '/v1'), maxRetries: 0 })
    const write = async () => {
      const messages = [{ role: 'user' as const, content: 'Name three animals' }]
      const call = { model: 'local/gemma', messages, max_tokens: 12, temperature: 1.5, seed: 7 }
      return (await client.chat.completions.create(call)).choices[0]?.message.content
    }
    const first = await write()
    expect(first).toMatch(/\S/)
    expect(await write()).toBe(first)
  })

  it('lets a background call give way to a person', { timeout: 300_000 }, async () => {
    const ended: string[] = []
    const write = async (is_background: boolean, max_output_tokens: number) => {
      const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Count to 99' }] }]
      const caller = { person: chat.user.id, is_background }
      const call = { messages, tools: [], tool_choice: 'none' as const, max_output_tokens, caller }
      await chat.app.deps.models.stream('local/gemma', call, AbortSignal.timeout(200_000), () => {})
      ended.push(is_background ? 'background' : 'person')
    }
    const background = write(true, 100)
    const running = async () => {
      const query = sql`select is_background from model_slot_calls where state = 'running'`
      return (await query.execute(chat.app.deps.db)).rows
    }
    await expect.poll(running, { timeout: 60_000 }).toEqual([{ is_background: true }])
    await Promise.all([write(false, 4), background])
    expect(ended).toEqual(['person', 'background'])
  })
})
