import * as z from 'zod/mini'
import { WebAnswer } from '../../src/shared/knowledge/web-search/web-search.ts'
import { websourceTag } from '../../src/shared/platform/citations/citation-tags.ts'
import { type ToolContract, type ToolRun, tool } from '../../src/shared/tools/tools/tool.ts'
import { type Chat, startChat } from '../support/chat.ts'
import { RECORDED_AT } from './rows.ts'

/** The product with a scripted model, and with tools that count their calls. */
export type Stage = {
  chat: Chat
  /** Executed calls, such as `send_letter Dear Sir`. */
  called: string[]
}

const send = tool({
  ...{
    id: 'send_letter',
    name: 'Letter',
    description: 'Sends a letter.',
    repeatable: false,
    limitSeconds: 60,
  },
  input: z.object({ text: z.string() }),
  output: z.object({ sent: z.boolean() }),
})
const book = tool({
  ...{
    id: 'book',
    name: 'Booking',
    description: 'Books a table.',
    repeatable: true,
    limitSeconds: 60,
    durable: true,
  },
  input: z.object({ place: z.string(), until: z.optional(z.enum(['open', 'ends', 'default'])) }),
  output: z.object({ booked: z.string() }),
})

const report = tool({
  ...{
    id: 'read_report',
    name: 'Report',
    description: 'Reads a report.',
    repeatable: true,
    limitSeconds: 60,
  },
  input: z.object({}),
  output: z.object({ text: z.string() }),
})

const search = tool({
  ...{
    id: 'web_search',
    name: 'Web search',
    description: 'Searches the web.',
    repeatable: true,
    limitSeconds: 60,
    durable: true,
  },
  input: z.object({ query: z.string() }),
  output: WebAnswer,
})

/** Returns the answer of a web search: one page with this much text about the question. */
function found(query: string): z.infer<typeof WebAnswer> {
  const url = `https://pages.example/${query.length}`
  const title = `About ${query}`
  const source = { url, title, snippet: `All of ${query}`, engine: 'brave', rank: 1, used_in_response: true }
  return {
    ...{ query, time_range: null, is_answered: true, doubts: [], engine: 'brave', failures: [] },
    response: `All of ${query} ${websourceTag(url, title, 1)}`,
    sources: [{ ...source, is_read: true, published: null }],
  }
}

/** While journals are `recorded`, the clock stands still, and letters never arrive. */
export async function openStage({ recorded }: { recorded: boolean }): Promise<Stage> {
  const clock = recorded ? { clock: { now: () => new Date(RECORDED_AT) } } : {}
  const chat = await startChat({
    app: clock,
    model: { models: ['scripted', 'small'], windows: { small: 2_000 } },
  })
  const called: string[] = []
  const sendLetter: ToolRun<typeof send> = async ({ text }) => {
    called.push(`send_letter ${text}`)
    if (recorded) await new Promise(() => undefined)
    return { sent: true }
  }
  const bookTable: ToolRun<typeof book> = async ({ place, until = 'open' }, { step, ask }) => {
    const found = await step('find', async () => {
      called.push(`book find ${place}`)
      return `${place}, 2 free`
    })
    const { input } = await ask('seats', {
      prompt: `Seats? ${found}`,
      input_types: ['text'],
      ...endings[until],
    })
    const booked = await step('book', async () => {
      called.push(`book ${place} for ${input}`)
      return `${place} for ${input}`
    })
    return { booked }
  }
  const readReport: ToolRun<typeof report> = async () => {
    called.push('read_report')
    return { text: 'All is well. '.repeat(350) }
  }
  const searchWeb: ToolRun<typeof search> = ({ query }, { step }) =>
    step('search', async () => {
      called.push(`web_search ${query}`)
      return found(query)
    })
  install(chat, [
    [send, sendLetter as ToolRun<ToolContract>],
    [book, bookTable as ToolRun<ToolContract>],
    [report, readReport as ToolRun<ToolContract>],
    [search, searchWeb as ToolRun<ToolContract>],
  ])
  return { chat, called }
}

/** Returns the version with which new runs of an agent begin. */
export function versionOf({ chat }: Stage, agent: string): number {
  return chat.app.deps.engine.agents[agent]?.version ?? 0
}

const DAY_SECONDS = 86_400
const endings = {
  open: {},
  ends: { seconds: DAY_SECONDS },
  default: { seconds: DAY_SECONDS, default: { input: '4', input_type: 'text' } },
}

function install({ app }: Chat, own: [contract: unknown, work: ToolRun<ToolContract>][]): void {
  const { tools } = app.deps
  const { find, loadRun } = tools
  const loaded = own.map(([contract, work]) => {
    const { input } = contract as ToolContract
    const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input' })
    return { contract: contract as ToolContract, schema, hasCard: false, work }
  })
  const ownOf = (id: string) => loaded.find(({ contract }) => contract.id === id)
  tools.find = async (id, ...whose) => ownOf(id) ?? find(id, ...whose)
  tools.loadRun = async (tool) => ownOf(tool.contract.id)?.work ?? loadRun(tool)
  tools.ids = loaded.map(({ contract }) => contract.id)
  tools.load = async (userId) => [
    ...loaded,
    ...[await find('calculator', userId)].filter((one) => one !== null),
  ]
}
