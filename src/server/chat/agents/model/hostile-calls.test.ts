import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, fails, type ModelRequest, says } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

/** Lets the model make these moves and then finish. Returns the stored reply. */
async function reply(...moves: Parameters<Chat['model']['reply']>[0][]) {
  const sessionId = await chat.aSession()
  chat.model.reply(...moves)
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  const { body } = await chat.call('GET', `/sessions/${sessionId}/active-branch`)
  return body.active_branch.at(-1)
}

const sum = { a: 20, operation: 'add', b: 22 }
const toolStates = ({ blocks }: { blocks: { type: string; status: string }[] }) =>
  blocks.filter(({ type }) => type === 'tool').map(({ status }) => status)
const long = 'x'.repeat(1_000_000)

/** Values that the store or an index rejects, and property names that every object has. */
const odd: unknown[] = [
  'a\0b',
  '\0',
  '\ud800',
  long,
  '\uffff'.repeat(5_000),
  '__proto__',
  'constructor',
  'toString',
]

it.each(odd.map((text) => [String(text).slice(0, 12), text]))(
  'executes a tool call with the id %j',
  async (_, id) => {
    const message = await reply([calls('calculator', sum, id), calls('calculator', sum, id)], [says('Done.')])
    expect(message).toMatchObject({ status: 'completed', content: 'Done.' })
    expect(toolStates(message)).toEqual(['complete', 'complete'])
    const { messages } = chat.model.requests.at(-1) as ModelRequest
    const given = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
    expect(messages.flatMap((one) => one.tool_call_id ?? [])).toEqual(given)
    expect(new Set(given).size).toBe(2)
  },
)

it.each([...odd, 7, { a: 1 }].map((text) => [String(text).slice(0, 12), text]))(
  'reports an unknown tool named %j to the model',
  async (_, name) => {
    const message = await reply([calls(name, sum)], [says('Done.')])
    expect(message).toMatchObject({ status: 'completed', content: 'Done.' })
    expect(toolStates(message)).toEqual(['error'])
  },
)

it.each([7, { a: 1 }, ['x'], true])('executes a tool call whose id is %j', async (id) => {
  const message = await reply([calls('calculator', sum, id)], [says('Done.')])
  expect(toolStates(message)).toEqual(['complete'])
})

it.each<[string, unknown]>([
  ['NUL in a text', { ...sum, operation: 'add\0' }],
  ['NUL in a name', { ...sum, 'a\0': 1 }],
  [
    'names every object has',
    JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":1,"hasOwnProperty":1}'),
  ],
  ['half a character', { ...sum, operation: '\ud800' }],
  ['an array', [sum]],
  ['nothing', null],
])('reports a tool call whose arguments are %s to the model', async (_, input) => {
  const message = await reply([calls('calculator', input), calls('weather', input)], [says('Done.')])
  expect(message).toMatchObject({ status: 'completed', content: 'Done.' })
  expect(toolStates(message)[1]).toBe('error')
})

it("strips characters that cannot be stored from a provider's error", async () => {
  const message = await reply([fails(400, 'bad\0 \ud800 key')])
  expect(message).toMatchObject({ status: 'error' })
  expect(message.blocks.at(-1).error).toBe('The model provider refused the request: bad \ufffd key')
})
