import type { Kysely } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Message } from '#shared/messages/messages.ts'
import { Id } from '#shared/primitives.ts'
import { AgentType } from '#shared/sessions/sessions.ts'
import { assertBalance } from '../billing/billing.ts'
import type { Tables } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from '../http/serve.ts'
import { type FrozenTool, getRuns, type LiveRun, type StartRequest, startRun } from '../runs/runs.ts'
import { loadPolicies } from '../tool-policies/tool-policies.ts'

/** How a reply is to be made; what is absent is the session's own. */
export type ReplyWish = {
  agent_type?: AgentType
  model_name?: string | null
  tool_choice?: string | null
}

/** The session of the message, as the guard found it. */
type SessionRow = { id: string; model_name: string | null; session_metadata: Record<string, unknown> }

/** Models that do not say how much they take are given this much. */
const DEFAULT_CONTEXT_TOKENS = 32_000
/** What one reply may take; agents that plan need more of everything. */
const LIMITS = { model_calls: 12, steps: 1, seconds: 15 * 60 }
const PLANNING_LIMITS = { model_calls: 60, steps: 12, seconds: 60 * 60 }

/** Everything a reply needs, checked before anything is stored. */
export type ReplyPlan = Omit<StartRequest['input'], 'user_message_id'>

/**
 * Decides model, agent and tools of a reply. @throws AppError `insufficient_balance`, `not_available` for an
 * unknown model, tool or agent type
 */
export async function planReply(
  deps: Deps,
  user: Caller,
  session: SessionRow,
  wish: ReplyWish,
): Promise<ReplyPlan> {
  await assertBalance(deps, user.id)
  const { agents } = getRuns(deps).engine
  const agent_type = wish.agent_type ?? agentTypeOf(session)
  if (!agents[agent_type]) {
    throw new AppError('not_available', `The agent type ${agent_type} is not available on this server.`)
  }
  const modelId = wish.model_name || session.model_name || (await deps.models.defaultId())
  const model = await deps.models.find(modelId)
  const tools = await freezeTools(deps, user.id, session)
  const tool_choice = wish.tool_choice || null
  if (tool_choice && !tools.some(({ id, policy }) => id === tool_choice && policy !== 'never')) {
    throw new AppError('not_available', `The tool ${tool_choice} is not available in this session.`)
  }
  return {
    ...{ session_id: session.id, user_id: user.id, agent_type, model_name: model.id },
    ...{ context_tokens: model.context_tokens ?? DEFAULT_CONTEXT_TOKENS, language: user.language },
    ...{ instructions: null, tool_choice, tools },
    limits: agent_type === 'plan_and_act' || agent_type === 'orchestrator' ? PLANNING_LIMITS : LIMITS,
  }
}

function agentTypeOf({ session_metadata }: SessionRow): AgentType {
  const parsed = AgentType.safeParse(session_metadata.agent_type)
  return parsed.success ? parsed.data : 'multi_turn'
}

/** The session's own tools when it names some, else all there are; each with the policy that holds now. */
async function freezeTools(
  deps: Deps,
  userId: string,
  { session_metadata }: SessionRow,
): Promise<FrozenTool[]> {
  const { session_tools: chosen, assistant_id } = session_metadata
  const all = await getRuns(deps).tools.load()
  const resolve = await loadPolicies(deps, userId, isId(assistant_id) ? assistant_id : null)
  return all
    .filter(({ contract }) => !Array.isArray(chosen) || chosen.length === 0 || chosen.includes(contract.id))
    .map(({ contract: { id, name, description, repeatable, policy: fallback }, schema }) => {
      const { policy } = resolve(id, fallback)
      return { id, name, description, input_schema: schema, repeatable, policy }
    })
}

function isId(value: unknown): value is string {
  return Id.safeParse(value).success
}

/**
 * Starts the reply to a message that `prepare` finds or stores inside the same transaction.
 * @throws AppError `session_busy`
 */
export function startReply(
  deps: Deps,
  plan: ReplyPlan,
  prepare: (trx: Kysely<Tables>) => Promise<Message>,
  beforeFirst?: (run: LiveRun) => void,
): Promise<LiveRun> {
  const start = async (trx: Kysely<Tables>) => {
    const userMessage = await prepare(trx)
    return { input: { ...plan, user_message_id: userMessage.id }, userMessage }
  }
  return startRun(getRuns(deps).engine, plan.session_id, start, beforeFirst)
}
