import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '../../src/shared/runs/runs/view.ts'
import { type Chat, startChat } from '../support/chat.ts'
import { startClaimingMcpServer } from '../support/claiming-mcp-server.ts'
import { aReader } from '../support/documents.ts'
import { type MadeWeb, startMadeWeb } from '../support/made-web.ts'
import { calls, fails, type ModelRequest, type Move, says } from '../support/model-server.ts'
import { readRun } from '../support/runs.ts'

/** Models that refuse requests over their windows, as local servers do. */
const WINDOWS = [2_048, 4_096, 8_192]
const FURTHER_TOOLS = 43
const TURNS = process.env.FAULTS_COUNT ? 20 : 6
const AGENTS = ['single_turn', 'multi_turn', 'plan_and_act', 'orchestrator', 'deep_research']
/** A research makes many calls, so that one turn fills its window. */
const RESEARCH_TURNS = process.env.FAULTS_COUNT ? 20 : 1
const CHARACTERS_PER_TOKEN = 3.5

let chat: Chat
let mcp: Awaited<ReturnType<typeof startClaimingMcpServer>>
let web: MadeWeb
let documentId: string
beforeAll(async () => {
  web = await startMadeWeb()
  const page = `<p>${'The lots of the warehouse are sold by the region each year. '.repeat(150)}</p>`
  web.has(
    Object.fromEntries(
      ['/lots', '/prices', '/region', '/sales'].map((path) => [
        path,
        { title: `About ${path.slice(1)}`, content: page },
      ]),
    ),
  )
  mcp = await startClaimingMcpServer(
    Array.from({ length: FURTHER_TOOLS }, (_, at) => ({
      name: `tool_${at}`,
      description: `Does matter ${at}. ${'It takes the matter by its number and its year. '.repeat(4)}`,
      inputSchema: { type: 'object', properties: { number: { type: 'number' }, year: { type: 'number' } } },
    })),
  )
  const windows = Object.fromEntries(WINDOWS.map((window) => [`w${window}`, window]))
  chat = await startChat({
    model: { models: Object.keys(windows), windows },
    app: {
      config: {
        ...{ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_TITLES: 'message' },
        ...{ ATRIUM_TOOLS_PRIVATE: mcp.origin, ATRIUM_WEB_PRIVATE: web.url, ATRIUM_WEB_CACHE_HOURS: '0' },
        SEARXNG_URL: `${web.url}/searxng`,
      },
    },
  })
  chat.model.always(answer)
  const reader = await aReader(chat.app, chat.url, chat.user)
  const content = Array.from({ length: 400 }, (_, at) => `Lot ${at} of the warehouse costs ${at * 7} euros.`)
  const { body } = await reader.upload({ name: 'lots.txt', content: content.join('\n\n') })
  await reader.processed(body.id)
  documentId = body.id
}, 120_000)
afterAll(async () => {
  await chat.close()
  mcp.close()
  await web.close()
})

/** Answers at length, with a tool call in every other reply, and refuses what exceeds the window. */
function answer(request: ModelRequest): Move[] {
  const window = Number(/\d+/.exec(String(request.model))?.[0])
  const sent = JSON.stringify([request.messages, request.tools ?? []]).length / CHARACTERS_PER_TOKEN
  if (sent > window)
    return [
      fails(400, `This model's maximum context length is ${window} tokens, however you requested more.`),
    ]
  if (request.response_format) return [says('{"steps":["Look it up","Write it down"]}')]
  const newest = request.messages.findLastIndex(({ role }) => role === 'user')
  const hasResult = request.messages.slice(newest).some(({ role }) => role === 'tool')
  const canCalculate = JSON.stringify(request.tools ?? []).includes('"calculator"')
  if (canCalculate && !hasResult && newest % 2 === 1 && request.tool_choice !== 'none')
    return [calls('calculator', { a: 1, b: 2, operation: 'add' })]
  return [says('The lots cost what the list says. '.repeat(30))]
}

async function connectTools(): Promise<void> {
  const address = { kind: 'http', url: `${mcp.origin}/mcp` }
  const { status, body } = await chat.call('POST', '/mcp-servers', { name: 'Matters', address })
  expect(status, JSON.stringify(body)).toBe(201)
}

async function answers(agent_type: string, window: number): Promise<string[]> {
  const id = await chat.aSession({ modelName: `compatible/w${window}`, metadata: { agent_type } })
  const links = { session_id: id, document_id: documentId }
  await chat.app.deps.db.insertInto('session_documents').values(links).execute()
  const problems: string[] = []
  const turns = agent_type === 'deep_research' ? Math.min(TURNS, RESEARCH_TURNS) : TURNS
  for (let turn = 1; turn <= turns; turn++) {
    const stream = await chat.ask(
      id,
      `Question ${turn}: what does lot ${turn * 3} cost? ${'Be exact. '.repeat(20)}`,
    )
    await stream.ended
    const asked = stream.view()
    const reply = asked?.status === 'waiting' ? await approve(id, asked) : asked
    const error = reply?.blocks.find(({ type }) => type === 'error')
    if (reply?.status !== 'completed' || !reply.content.trim())
      problems.push(`turn ${turn}: ${JSON.stringify(error ?? reply?.status)}`)
  }
  return problems
}

/** Approves the plan of a deep research and returns its reply. */
async function approve(id: string, { blocks, run_id }: RunView) {
  const asked = blocks.find((block) => block.type === 'input_required')
  const input = asked?.type === 'input_required' ? (asked.fields?.[0]?.value ?? '') : ''
  const body = { checkpoint_name: 'waiting_for_input_plan', input, input_type: 'text' }
  expect((await chat.call('POST', `/sessions/${id}/provide-input`, body)).status).toBe(200)
  const stateOf = async () => (await readRun(chat.app, run_id)).run.state
  await expect.poll(stateOf, { timeout: 60_000 }).toMatch(/completed|failed/)
  return (await readRun(chat.app, run_id)).reply
}

describe.each(['8 tools', '51 tools'])('with %s, documents and a small window', (tools) => {
  beforeAll(async () => {
    if (tools === '51 tools') await connectTools()
  })

  it.each(AGENTS.flatMap((agent) => WINDOWS.map((window) => [agent, window] as const)))(
    'answers every turn as %s with %i tokens',
    { timeout: 300_000 },
    async (agent, window) => expect(await answers(agent, window)).toEqual([]),
  )
})
