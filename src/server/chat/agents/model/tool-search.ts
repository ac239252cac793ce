import type { ModelMessage, ModelTool, ToolCallPart } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import { readArguments } from '../../../tools/tools/tools.ts'
import { pick } from '../pick.ts'

/** From this many tools on, a model is told of some, and finds the others by searching. */
export const MAX_OFFERED = 40
/** Places for what agents add themselves, and for the search. */
const RESERVED = 4
/** Tools that one search loads. */
const MAX_FOUND = 8
export const FIND_TOOLS = 'find_tools'

/** The tools one run tells its model of. */
export type ToolBox = {
  /** The tools for the next call; the beginning of the list stays the same through the chat, for prompt caches. */
  offered: (messages: readonly ModelMessage[]) => ModelTool[]
  /** Whether the search is among them. */
  canSearch: boolean
  /** Does one search: loads what it finds and says what that is. */
  find: (call: ToolCallPart) => string
}

/**
 * All tools of a run, or, where there are many, those of the product, those that fit the first message of the chat, a search, and
 * what the search has found.
 */
export function createToolBox(run: Pick<RunContext, 'input'>, all: readonly ModelTool[]): ToolBox {
  if (all.length <= MAX_OFFERED) return { offered: () => [...all], canSearch: false, find: () => '' }
  const loaded: ModelTool[] = []
  let base: ModelTool[] | null = null
  const search = describeSearch(all.length)
  return {
    canSearch: true,
    offered: (messages) => {
      base ??= chooseBase(run, all, firstWords(messages))
      return [...base, search, ...loaded]
    },
    find: (call) => {
      const query = String(pick(readArguments(call), ['query', 'q', 'search', 'description']) ?? '')
      const known = new Set([...(base ?? []), ...loaded].map(({ name }) => name))
      const found = rank(all, query).slice(0, MAX_FOUND)
      // The oldest finds give way: a model is never told of more tools than are taken.
      loaded.push(...found.filter(({ name }) => !known.has(name)))
      loaded.splice(0, Math.max(0, loaded.length - MAX_FOUND))
      if (found.length === 0) return 'No tool matches. Search with other words, or answer without a tool.'
      const lines = found.map(({ name, description }) => `- ${name}: ${description.slice(0, 200)}`)
      return `These tools can be called now:\n${lines.join('\n')}`
    },
  }
}

/** The product's own tools, the one the person chose, and the others by how well they fit, in their usual order. */
function chooseBase(
  { input }: Pick<RunContext, 'input'>,
  all: readonly ModelTool[],
  words: string,
): ModelTool[] {
  const own = new Set(
    input.tools
      .filter(({ version, id }) => version === undefined || id === input.tool_choice)
      .map(({ id }) => id),
  )
  const room = MAX_OFFERED - RESERVED - MAX_FOUND
  const first = all.filter(({ name }) => own.has(name)).slice(0, room)
  const fitting = rank(
    all.filter(({ name }) => !own.has(name)),
    words,
  ).slice(0, room - first.length)
  const chosen = new Set([...first, ...fitting].map(({ name }) => name))
  return all.filter(({ name }) => chosen.has(name))
}

function firstWords(messages: readonly ModelMessage[]): string {
  const first = messages.find(({ role }) => role === 'user')
  return first?.role === 'user'
    ? first.content
        .flatMap((part) => (part.type === 'text' ? [part.text] : []))
        .join(' ')
        .slice(0, 4_000)
    : ''
}

const describeSearch = (count: number): ModelTool => ({
  name: FIND_TOOLS,
  description: `Searches all ${count} tools by what they do. Call it when none of the other tools fits; what it finds can be called afterwards.`,
  input_schema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What the tool should do, in a few English words.' },
    },
    required: ['query'],
  },
})

/** Tools that share words with a text, the best first; rare words count more, and those of the name twice. */
function rank(tools: readonly ModelTool[], text: string): ModelTool[] {
  const wanted = new Set(wordsOf(text))
  const entries = tools.map((tool) => ({
    tool,
    name: new Set(wordsOf(tool.name)),
    all: new Set(wordsOf(`${tool.name} ${tool.description}`)),
  }))
  const weights = new Map(
    [...wanted].map((word) => {
      const count = entries.filter(({ all }) => all.has(word)).length
      return [word, count === 0 ? 0 : Math.log(1 + tools.length / count)]
    }),
  )
  const scored = entries.map(({ tool, name, all }) => {
    let score = 0
    for (const [word, weight] of weights) if (all.has(word)) score += name.has(word) ? 2 * weight : weight
    return { tool, score }
  })
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool)
}

/** Words without endings, so that “issues” finds “issue”. */
function wordsOf(text: string): string[] {
  const spaced = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return (spaced.match(/[\p{L}\p{N}]{2,}/gu) ?? []).map((word) =>
    word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word,
  )
}
