import { hostOf, type OutwardCalls, type ReadText } from '#shared/platform/outward.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Platform } from '../../platform/platform.ts'
import type { FrozenAssistant, FrozenTool, OutwardRule, RunInput } from '../../runs/runs/runs.ts'
import { linkedNames, listForeign, rulesOfCompanies } from './store.ts'

export { type Gate, readBefore } from './read-before.ts'
export { countSame, isAllowedInChat, listForeign, wordsOf } from './store.ts'

/** Maximum documents, tools and assistants listed by name. */
const MAX_NAMED_SOURCES = 5

const strictness: readonly OutwardCalls[] = ['off', 'ask', 'strict']

/** Returns a person's rule: that of the environment, otherwise the strictest of their companies, otherwise `ask`. */
async function ruleFor(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  userId: string,
): Promise<OutwardCalls> {
  if (config.ATRIUM_OUTWARD_CALLS) return config.ATRIUM_OUTWARD_CALLS
  const rules = await rulesOfCompanies(db, userId)
  return strictness.findLast((rule) => rules.includes(rule)) ?? 'ask'
}

type Begun = {
  /** The person who starts the run, and approves its calls. */
  user: Person
  sessionId: string
  library?: RunInput['library']
  /** The assistant, if someone else wrote its instructions. */
  assistant: string | null
  /** The project of the chat, if someone else wrote its instructions. */
  project?: string | null
  /** The message quotes other chats, which may have foreign text. */
  quotes?: boolean
  tools: readonly FrozenTool[]
  assistants?: readonly FrozenAssistant[]
}

/** Returns the rule for outward calls and the foreign text known at the start of a run, to freeze with it. */
export async function freezeOutward(
  deps: Pick<Platform, 'db' | 'config'>,
  begun: Begun,
): Promise<OutwardRule> {
  const { assistants = [] } = begun
  const tools = [...begun.tools, ...assistants.flatMap((one) => one.tools)]
  const foreignTools = tools.filter(({ is_foreign, policy }) => is_foreign && policy !== 'never')
  const others = assistants.filter(({ is_foreign }) => is_foreign).map(({ name }) => name)
  const names = begun.library
    ? await linkedNames(deps.db, begun.user, begun.sessionId, MAX_NAMED_SOURCES)
    : []
  return {
    calls: await ruleFor(deps, begun.user.id),
    read: [
      ...(begun.quotes ? named('earlier', ['']) : []),
      ...named('document', begun.library ? (names.length > 0 ? names : ['']) : []),
      ...named('assistant', [...(begun.assistant === null ? [] : [begun.assistant]), ...others]),
      ...named('project', begun.project ? [begun.project] : []),
      ...named(
        'tool_description',
        foreignTools.map(({ name }) => name),
      ),
    ],
  }
}

function named(kind: ReadText['kind'], names: readonly string[]): ReadText[] {
  return [...new Set(names)].slice(0, MAX_NAMED_SOURCES).map((name) => ({ kind, name }))
}

/** Adds foreign text from messages of others and from earlier answers of the chat. `pure` lists tools whose results contain no foreign text. */
export async function withEarlier(
  db: Platform['db'],
  rule: OutwardRule,
  asked: { messageId: string; userId: string; pure: readonly string[] },
): Promise<OutwardRule> {
  if ((await listForeign(db, asked)).length === 0) return rule
  return { ...rule, read: [...rule.read, { kind: 'earlier', name: '' }] }
}

/** Returns the rule for a call requested by an interface, which the person has not seen. */
export async function ruleOfInterface(
  deps: Pick<Platform, 'db' | 'config'>,
  userId: string,
  name: string,
): Promise<OutwardRule> {
  return { calls: await ruleFor(deps, userId), read: [{ kind: 'interface', name }] }
}

/** Returns the distinct hosts of addresses. `{language}` matches any language. */
export function hostsOf(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map((address) => hostOf(address.replace('{language}', '*'))))]
}
