import { AppError } from '#shared/platform/errors.ts'
import type { Outward } from '#shared/platform/outward.ts'
import type { ToolContract } from '#shared/tools/tools/tool.ts'
import { addressesOfEngines } from '../../knowledge/web-search/web-search.ts'
import type { FrozenTool, RunContext } from '../../runs/runs/runs.ts'
import { countSame, type Gate, hostsOf, isAllowedInChat, wordsOf } from '../outward/outward.ts'
import type { ToolCall } from './call.ts'
import { readSettings } from './settings.ts'
import type { ToolKit } from './work.ts'

/** Maximum sources of one kind shown to the person. */
const MAX_NAMED_SOURCES = 5

type Wish = { input: unknown; policy: 'auto' | 'ask'; gate: Gate }

/** Describes what a call sends out of the installation, for the person; null if it sends nothing or the run has no rule for it. */
export function describeOutward(
  { config }: Pick<ToolKit, 'config'>,
  run: Pick<RunContext, 'input'>,
  contract: ToolContract,
  { input, policy, gate }: Wish,
): Outward | null {
  const { outward: rule, language } = run.input
  if (!contract.sends || !rule || rule.calls === 'off') return null
  try {
    const engines = hostsOf(addressesOfEngines(config))
    const sending = contract.sends(input, { settings: readSettings(config, contract), language, engines })
    const kinds = Map.groupBy(gate.read, ({ kind }) => kind)
    const read = [...kinds.values()].flatMap((list) => list.slice(0, MAX_NAMED_SOURCES))
    const by_rule = policy === 'auto'
    return { ...sending, read, by_rule, can_allow_chat: by_rule && rule.calls === 'ask' }
  } catch (error) {
    // This input cannot be sent; the tool reports that when it runs.
    if (error instanceof AppError) return null
    throw error
  }
}

type Known = {
  contract: ToolContract
  version: number | undefined
  /** The arguments as parsed by the tool, and as given by the model. */
  value: unknown
  given: unknown
  gate: Gate
}

/** Returns whether a person has to approve an outward call, unless they have approved it or its kind already. */
export async function needsApproval(
  { db }: Pick<ToolKit, 'db'>,
  run: RunContext,
  call: ToolCall,
  outward: Outward,
  { contract, version, value, given, gate }: Known,
): Promise<boolean> {
  // Another process sent it before this one resumed the run.
  if (gate.isShown || run.isDone(`tool:${call.key}`)) return false
  const { outward: rule, session_id, user_id, standalone } = run.input
  if (rule?.calls === 'strict') return true
  if (!hasReadOthers(run.input, call.tool_id, gate)) return false
  const sessionId = standalone ? standalone.session_id : session_id
  const allowed = { userId: user_id, toolId: call.tool_id, version, sending: outward }
  if (sessionId && (await isAllowedInChat(db, { sessionId, ...allowed }))) return false
  return !(await isAskedFor(db, run, call, contract, { value, given }))
}

/**
 * Returns whether the model has read text written by neither its person nor the called tool's own server. A person who
 * allowed that server's tools also accepted its texts, and the data goes only there.
 */
function hasReadOthers(
  { tools, assistants = [] }: RunContext['input'],
  toolId: string,
  { read }: Gate,
): boolean {
  if (read.some(({ kind }) => kind !== 'tool_description')) return true
  const all = [...tools, ...assistants.flatMap((one) => one.tools)]
  const called = all.find(({ id }) => id === toolId)
  const isOwn = ({ set_id }: FrozenTool) => set_id !== undefined && set_id === called?.set_id
  const others = all.filter((tool) => tool.is_foreign && tool.policy !== 'never' && !isOwn(tool))
  return others.length > 0 || (read.length > 0 && called === undefined)
}

/** Returns whether the person's message requests exactly this call, and the run makes it once. */
async function isAskedFor(
  db: ToolKit['db'],
  run: RunContext,
  call: ToolCall,
  contract: ToolContract,
  { value, given }: { value: unknown; given: unknown },
): Promise<boolean> {
  const { user_message_id, task, tool_choice, standalone } = run.input
  if (!contract.isAskedFor || task !== undefined || standalone) return false
  const words = await wordsOf(db, user_message_id)
  if (!contract.isAskedFor(value, words, tool_choice === call.tool_id)) return false
  const same = { toolId: call.tool_id, executionId: call.execution_id, input: given }
  return (await countSame(db, run.id, same)) === 0
}
