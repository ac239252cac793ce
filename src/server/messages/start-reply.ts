import type { Kysely } from 'kysely'
import type { Assistant } from '#shared/assistants/assistants.ts'
import type { AvailableModel } from '#shared/connections/connections.ts'
import { AppError } from '#shared/errors.ts'
import type { Message } from '#shared/messages/messages.ts'
import { AgentType, Team } from '#shared/sessions/sessions.ts'
import { findChatAssistant, offerAssistants } from '../assistants/assistants.ts'
import { tellBelief } from '../beliefs/beliefs.ts'
import { assertBalance } from '../billing/billing.ts'
import type { Tables } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from '../http/serve.ts'
import { freezeLibrary } from '../rag/rag.ts'
import {
  type Begun,
  type FrozenAssistant,
  type FrozenTool,
  type StartRequest,
  startRun,
} from '../runs/runs.ts'
import { assertStorage } from '../storage/storage.ts'
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
 * Decides model, agent and tools of a reply. @throws AppError `insufficient_balance`, `quota_exceeded`,
 * `not_available` for an unknown model, tool or agent type
 */
export async function planReply(
  deps: Deps,
  user: Caller,
  session: SessionRow,
  wish: ReplyWish,
): Promise<ReplyPlan> {
  await assertBalance(deps, user.id)
  await assertStorage(deps, user.id)
  const { agents } = deps.engine
  const assistant = await findChatAssistant(deps, user, session.session_metadata)
  const agent_type = wish.agent_type ?? agentTypeOf(session, assistant)
  if (!agents[agent_type]) {
    throw new AppError('not_available', `The agent type ${agent_type} is not available on this server.`)
  }
  const named = wish.model_name || session.model_name || assistant?.model_name
  const model = await deps.models.find(named || (await deps.models.defaultId()))
  const tool_choice = wish.tool_choice || null
  const tools = await freezeTools(deps, user.id, toolsOf(session, assistant), assistant, tool_choice)
  if (tool_choice && !tools.some(({ id, policy }) => id === tool_choice && policy !== 'never')) {
    throw new AppError('not_available', `The tool ${tool_choice} is not available in this session.`)
  }
  const divides = agent_type === 'orchestrator'
  return {
    ...{ session_id: session.id, user_id: user.id, agent_type, ...frozenModel(model), tool_choice, tools },
    ...{ language: user.language, ...frozenWords(assistant) },
    ...(user.kind === 'key' && { key_id: user.key.id }),
    ...(assistant && { assistant: { id: assistant.id, name: assistant.name } }),
    ...(await freezeLibrary(deps.db, session.id, assistant?.documents ?? [])),
    ...(divides ? { assistants: await freezeAssistants(deps, user, session, model) } : {}),
    limits: divides || agent_type === 'plan_and_act' ? PLANNING_LIMITS : LIMITS,
  }
}

function frozenModel({ id, context_tokens }: AvailableModel) {
  return { model_name: id, context_tokens: context_tokens ?? DEFAULT_CONTEXT_TOKENS }
}

function frozenWords(assistant: Assistant | null) {
  const temperature = assistant?.temperature ?? null
  return {
    instructions: assistant?.system_prompt.trim() || null,
    ...(temperature === null ? {} : { temperature }),
  }
}

/** Whom an orchestrator may give work; the first takes what fits nobody. A model that is gone gives way to the session's. */
async function freezeAssistants(
  deps: Deps,
  user: Caller,
  { session_metadata }: SessionRow,
  fallback: AvailableModel,
): Promise<FrozenAssistant[]> {
  const chosen = Team.safeParse(session_metadata.session_assistants)
  const offered = await offerAssistants(deps, user, chosen.success ? chosen.data : [])
  return Promise.all(
    offered.map(async (assistant) => {
      const { id, name, description, agent_type, model_name } = assistant
      const model = model_name ? await deps.models.find(model_name).catch(() => fallback) : fallback
      const tools = await freezeTools(deps, user.id, assistant.tools, assistant)
      return { id, name, description, agent_type, ...frozenModel(model), ...frozenWords(assistant), tools }
    }),
  )
}

function agentTypeOf({ session_metadata }: SessionRow, assistant: Assistant | null): AgentType {
  const parsed = AgentType.safeParse(session_metadata.agent_type)
  return parsed.success ? parsed.data : (assistant?.agent_type ?? 'multi_turn')
}

/** The session's own tools when it names some, else the assistant's; null for all there are. */
function toolsOf({ session_metadata }: SessionRow, assistant: Assistant | null): string[] | null {
  const chosen = session_metadata.session_tools
  if (Array.isArray(chosen) && chosen.length > 0) return chosen
  return assistant?.tools ?? null
}

/** Tools, each with the policy that holds now. */
async function freezeTools(
  deps: Deps,
  userId: string,
  chosen: string[] | null,
  assistant: Assistant | null,
  toolChoice: string | null = null,
): Promise<FrozenTool[]> {
  const all = await deps.tools.load(userId)
  const resolve = await loadPolicies(deps, userId, assistant?.id ?? null)
  return all
    .filter(({ contract: { id }, made }) => {
      if (chosen !== null) return chosen.includes(id)
      // What others share is offered where somebody chose it: a model is told of every tool that is.
      return made === undefined || made.userId === userId || id === toolChoice
    })
    .map((tool) => {
      const { id, name, description, repeatable } = tool.contract
      const { policy, source } = resolve(tool)
      const version = tool.made && { version: tool.made.version }
      const frozen = { id, name, description, input_schema: tool.schema, repeatable, policy, ...version }
      // A person's own word goes before the assistant's, which then changes nothing for them.
      if (policy !== 'ask' || !assistant?.can_edit || source === 'user') return frozen
      return { ...frozen, assistant: { id: assistant.id, name: assistant.name } }
    })
}

/**
 * Starts the reply to a message that `prepare` finds or stores inside the same transaction.
 * @throws AppError `session_busy`
 */
export function startReply(
  deps: Deps,
  plan: ReplyPlan,
  prepare: (trx: Kysely<Tables>) => Promise<Message>,
  beforeFirst?: (run: Begun) => void,
): Promise<Begun> {
  const start = async (trx: Kysely<Tables>) => {
    const userMessage = await prepare(trx)
    const belief = await tellBelief(trx, plan.user_id, userMessage.id)
    const input = { ...plan, user_message_id: userMessage.id, ...(belief === null ? {} : { belief }) }
    return { input, userMessage }
  }
  return startRun(deps.engine, plan.session_id, start, beforeFirst)
}
