import { hostOf, type OutwardCalls, type ReadText } from '#shared/platform/outward.ts'
import type { Platform } from '../../platform/platform.ts'
import type { FrozenAssistant, FrozenTool, OutwardRule, RunInput } from '../../runs/runs/runs.ts'
import { hasForeignAnswers, linkedNames, rulesOfCompanies } from './store.ts'

export { type Gate, readBefore } from './read-before.ts'
export { countSame, isAllowedInChat, wordsOf } from './store.ts'

/** So many documents, tools and assistants are named. */
const NAMED = 5

const strictness: readonly OutwardCalls[] = ['off', 'ask', 'strict']

/** What holds for a person: what the environment says, else the strictest of their companies, else `ask`. */
async function ruleFor(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  userId: string,
): Promise<OutwardCalls> {
  if (config.ATRIUM_OUTWARD_CALLS) return config.ATRIUM_OUTWARD_CALLS
  const rules = await rulesOfCompanies(db, userId)
  return strictness.findLast((rule) => rules.includes(rule)) ?? 'ask'
}

type Begun = {
  userId: string
  sessionId: string
  library?: RunInput['library']
  /** Whose words the run is told, when they are somebody else's. */
  assistant: string | null
  tools: readonly FrozenTool[]
  assistants?: readonly FrozenAssistant[]
}

/** What a run keeps of the rule for calls that leave the house, and of the text of others it begins with. */
export async function freezeOutward(
  deps: Pick<Platform, 'db' | 'config'>,
  begun: Begun,
): Promise<OutwardRule> {
  const { assistants = [] } = begun
  const tools = [...begun.tools, ...assistants.flatMap((one) => one.tools)]
  const foreignTools = tools.filter(({ is_foreign, policy }) => is_foreign && policy !== 'never')
  const others = assistants.filter(({ is_foreign }) => is_foreign).map(({ name }) => name)
  const names = begun.library ? await linkedNames(deps.db, begun.sessionId, NAMED) : []
  return {
    calls: await ruleFor(deps, begun.userId),
    read: [
      ...named('document', begun.library ? (names.length > 0 ? names : ['']) : []),
      ...named('assistant', [...(begun.assistant === null ? [] : [begun.assistant]), ...others]),
      ...named(
        'tool_description',
        foreignTools.map(({ name }) => name),
      ),
    ],
  }
}

function named(kind: ReadText['kind'], names: readonly string[]): ReadText[] {
  return [...new Set(names)].slice(0, NAMED).map((name) => ({ kind, name }))
}

/** The rule with what the earlier answers of the chat bring along. `pure`: tools whose results are nobody's words. */
export async function withEarlier(
  db: Platform['db'],
  rule: OutwardRule,
  { before, userId, pure }: { before: string | null; userId: string; pure: readonly string[] },
): Promise<OutwardRule> {
  if (before === null || !(await hasForeignAnswers(db, { messageId: before, userId, pure }))) return rule
  return { ...rule, read: [...rule.read, { kind: 'earlier', name: '' }] }
}

/** The rule for a call that an interface asks for, which a person has not seen. */
export async function ruleOfInterface(
  deps: Pick<Platform, 'db' | 'config'>,
  userId: string,
  name: string,
): Promise<OutwardRule> {
  return { calls: await ruleFor(deps, userId), read: [{ kind: 'interface', name }] }
}

/** The hosts of addresses, each once. `{language}` stands for any. */
export function hostsOf(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map((address) => hostOf(address.replace('{language}', '*'))))]
}
