import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type ToolContract, type ToolRun, tool } from '#shared/tools/tools/tool.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, type ModelRequest, says } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'
import { assertBalance } from '../../money/billing/billing.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_BILLING: 'on' } } })
})
afterAll(() => chat.close())

const contract = tool({
  ...{ id: 'probe', name: 'Probe', description: 'Asks a model.', repeatable: true, limitSeconds: 5 },
  input: z.object({}),
  output: z.object({ said: z.string() }),
})
type Probe = ToolRun<typeof contract>

const book = (amount: number) =>
  chat.app.deps.db
    .insertInto('ledger_entries')
    .values({ user_id: chat.user.id, kind: 'top_up', amount })
    .execute()

let made: string[] = []
/** Spends the remaining balance, once. */
async function spend() {
  made.push('spent')
  if (made.length === 1) await book(-2)
  return 1
}
/** First step of a tool that calls a model. */
async function think() {
  made.push('thought')
  await assertBalance(chat.app.deps, chat.user.id)
  return 'Well.'
}

const inSteps: Probe = async (_, { step }) => {
  await step('spend', spend)
  return { said: await step('think', think) }
}
const betweenSteps: Probe = async (_, { step }) => {
  await step('spend', spend)
  return { said: await think() }
}
const atOnce: Probe = async () => {
  await spend()
  return { said: await think() }
}

function play(work: Probe, durable: boolean): void {
  const { tools } = chat.app.deps
  const loaded = { contract: { ...contract, durable } as ToolContract, schema: {}, hasCard: false }
  tools.load = async () => [loaded]
  tools.find = async (id) => (id === 'probe' ? loaded : null)
  tools.loadRun = async () => work as ToolRun<ToolContract>
}

const script = (agent: string) => (request: ModelRequest) => {
  if (request.response_format)
    return [says(JSON.stringify({ steps: [{ description: 'Ask', assistant: 'General assistant' }] }))]
  if (agent === 'orchestrator' && !JSON.stringify(request.messages).includes('You do one part'))
    return [says('Together.')]
  return request.messages.at(-1)?.role === 'tool' ? [says('It said so.')] : [calls('probe', {})]
}

it.each<[string, Probe, boolean, string, string[]]>([
  ['in a step of a tool', inSteps, true, 'multi_turn', ['spent', 'thought', 'thought']],
  ['in a tool of a part', inSteps, true, 'orchestrator', ['spent', 'thought', 'thought']],
  ['between the steps of a tool', betweenSteps, true, 'multi_turn', ['spent', 'thought', 'thought']],
  ['in a tool of one step', atOnce, false, 'multi_turn', ['spent', 'thought', 'spent', 'thought']],
])(
  'a balance used up %s pauses the run, which goes on from there when it is topped up [CK-21]',
  async (_, work, durable, agent_type, done) => {
    made = []
    play(work, durable)
    chat.model.always(script(agent_type))
    await book(1)
    const before = chat.model.requests.length
    const stream = await chat.ask(await chat.aSession({ metadata: { agent_type } }), 'Go')
    await stream.ended
    expect(stream.view()?.blocks.at(-1)).toMatchObject({ type: 'paused', reason: 'balance' })
    expect(stream.view()?.blocks.find(({ type }) => type === 'tool')).toMatchObject({ status: 'processing' })
    const runId = stream.view()?.run_id ?? ''
    expect((await readRun(chat.app, runId)).run).toMatchObject({ state: 'paused', paused_for: 'balance' })
    const asked = chat.model.requests.length - before
    await book(5)
    await expect
      .poll(async () => (await readRun(chat.app, runId)).run.state, { timeout: 20_000 })
      .toBe('completed')
    const { reply } = await readRun(chat.app, runId)
    expect(reply.blocks.find(({ type }) => type === 'tool')).toMatchObject({
      ...{ status: 'complete', result: { said: 'Well.' } },
    })
    expect(made).toEqual(done)
    // Only the work after the tool is requested.
    expect(chat.model.requests.length - before - asked).toBe(agent_type === 'orchestrator' ? 2 : 1)
    await book(-4)
  },
)
