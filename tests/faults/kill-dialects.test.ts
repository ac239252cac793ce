import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/account.ts'
import { openStream } from '../support/event-stream.ts'
import { type Product, startProduct } from '../support/product.ts'
import { readPlan } from './random.ts'

const WORDS = 60
const WORD_MS = 30
const QUESTION = 'Count to sixty.'
const plan = readPlan(1)

type Wire = { begin: object[]; word: (text: string) => object; end: object[]; isMarked?: true }

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
/** How each kind of server streams an answer. */
const wires: Record<string, Wire> = {
  'compatible/m': {
    begin: [chunk({ role: 'assistant', content: '' })],
    word: (content) => chunk({ content }),
    end: [chunk({}, 'stop'), { choices: [], usage: { prompt_tokens: 9, completion_tokens: WORDS } }],
    isMarked: true,
  },
  // Ollama sends no usage, and an empty role and content with its finish.
  'compatible/ollama': {
    begin: [],
    word: (content) => chunk({ role: 'assistant', content }),
    end: [chunk({ role: 'assistant', content: '' }, 'stop')],
    isMarked: true,
  },
  'openai/gpt-5': {
    begin: [{ type: 'response.created', response: { status: 'in_progress' } }],
    word: (delta) => ({ type: 'response.output_text.delta', delta }),
    end: [{ type: 'response.completed', response: { status: 'completed', output: [] } }],
  },
  'anthropic/claude-sonnet-4-5': {
    begin: [
      { type: 'message_start', message: { usage: { input_tokens: 9, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ],
    word: (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    end: [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: WORDS } },
      { type: 'message_stop' },
    ],
  },
  'google/gemini-2.5-flash': {
    begin: [],
    word: (text) => ({ candidates: [{ content: { parts: [{ text }] } }] }),
    end: [{ candidates: [{ content: { parts: [] }, finishReason: 'STOP' }] }],
  },
}
const idOf = (path: string, body: string): string => {
  if (path.includes('streamGenerateContent')) return 'google/gemini-2.5-flash'
  if (path.endsWith('/responses')) return 'openai/gpt-5'
  if (path.endsWith('/messages')) return 'anthropic/claude-sonnet-4-5'
  return `compatible/${JSON.parse(body).model}`
}

/** The number of the answer is in each of its words, so that words of two answers differ. */
const wordsOf = (answer: number) => Array.from({ length: WORDS }, (_, i) => `${answer}:${i} `)
let answers = 0
let server: Server
let product: Product
let token: string
const dataDir = mkdtempSync(join(tmpdir(), 'atrium-dialects-'))

async function speak(
  response: ServerResponse,
  { begin, word, end, isMarked }: Wire,
  said: string[],
): Promise<void> {
  const send = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of begin) send(event)
  for (const text of said) {
    if (response.destroyed) return
    send(word(text))
    await sleep(WORD_MS)
  }
  for (const event of end) send(event)
  response.end(isMarked ? 'data: [DONE]\n\n' : '')
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const wire = request.method === 'POST' ? wires[idOf((request.url ?? '').split('?')[0] ?? '', body)] : null
    // The product tries models and titles with calls of its own.
    if (wire) return speak(response, wire, body.includes(QUESTION) ? wordsOf(answers++) : ['Hi'])
    const listed = Object.keys(wires).map((id) => id.slice(id.indexOf('/') + 1))
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        data: listed.map((id) => ({ id, object: 'model' })),
        models: [{ name: 'models/gemini-2.5-flash', supportedGenerationMethods: ['streamGenerateContent'] }],
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  product = await start()
  token = (await signUp(product.url, 'ada')).token
})
afterAll(async () => {
  await product.stop()
  server.closeAllConnections()
  server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = {
    ...{ ATRIUM_COMPATIBLE_URL: `${url}/v1`, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1` },
    ...{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url, GOOGLE_API_KEY: 'k' },
    GOOGLE_BASE_URL: `${url}/v1beta`,
  }
  return startProduct({ dataDir, env })
}
const headers = () => ({ authorization: `Bearer ${token}` })

async function newSession(model_name: string): Promise<string> {
  const answer = await fetch(`${product.url}/api/v1/sessions`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify({
      model_name,
      session_metadata: { agent_type: 'single_turn', session_tools: [] },
    }),
  })
  return ((await answer.json()) as { id: string }).id
}

describe('kill -9 of the server in the middle of an answer', () => {
  it.each(Object.keys(wires))(
    `leaves one whole answer, nothing doubled or lost: %s [R-13]`,
    {
      timeout: 60_000 + plan.count * 60_000,
    },
    async (model) => {
      for (let i = 0; i < plan.count; i += 1) {
        const session = await newSession(model)
        const before = answers
        const base = () => `${product.url}/api/v1/sessions/${session}`
        const first = await openStream(`${base()}/messages`, {
          ...{
            method: 'POST',
            headers: headers(),
            body: { content: QUESTION, client_id: crypto.randomUUID() },
          },
        })
        await first.until('response_chunk')
        await sleep(plan.random() * (WORDS - 10) * WORD_MS)
        await product.kill()
        await first.ended
        const shown = first.view()?.content ?? ''
        expect(shown).not.toBe('')
        expect(wordsOf(before).join('').startsWith(shown)).toBe(true)

        product = await start()
        const again = await openStream(`${base()}/task-stream`, {
          headers: { ...headers(), 'last-event-id': first.lastId() ?? '' },
        })
        await again.ended
        const view = again.view()
        const branch = await fetch(`${base()}/active-branch`, { headers: headers() })
        const { active_branch } = (await branch.json()) as { active_branch: object[] }
        const whole = wordsOf(before + 1).join('')
        expect({ content: view?.content, status: view?.status }).toEqual({
          ...{ content: whole, status: 'completed' },
        })
        expect(active_branch.at(-1)).toMatchObject({ content: whole, status: 'completed' })
        // The lost answer, and the one that took its place.
        expect(answers - before).toBe(2)
      }
    },
  )
})
