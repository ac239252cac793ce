import type { Kysely } from 'kysely'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import type { Mention, NamedMention } from '#shared/chat/messages/mentions.ts'
import { Team } from '#shared/chat/sessions/sessions.ts'
import type { AvailableModel } from '#shared/models/connections/connections.ts'
import { AnswerWords, ChosenEffort, Temperature } from '#shared/models/connections/tuning.ts'
import { AppError } from '#shared/platform/errors.ts'
import { AgentType } from '#shared/runs/runs/agent-type.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { freezeLibrary } from '../../knowledge/rag/rag.ts'
import { defaultModelFor, findModelFor } from '../../models/model-choice/model-choice.ts'
import { assertBalance } from '../../money/billing/billing.ts'
import { assertStorage } from '../../money/storage/storage.ts'
import { assertOpen, keyOf } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import {
  type Begun,
  type FrozenAssistant,
  type FrozenTool,
  readPerson,
  type StartRequest,
  startRun,
} from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { freezeOutward, withEarlier } from '../../tools/outward/outward.ts'
import { loadPolicies } from '../../tools/tool-policies/tool-policies.ts'
import type { LoadedTool } from '../../tools/tools/tools.ts'
import { withholdTools } from '../../tools/withholding/withholding.ts'
import { findChatAssistant, findWrittenByOthers, offerAssistants } from '../assistants/assistants.ts'
import { tellBelief } from '../beliefs/beliefs.ts'
import { planMemory, rememberAsked } from '../memory/memory.ts'
import { type Mentioned, readMentions } from '../mentions/mentions.ts'
import { freezeProject } from '../projects/projects.ts'
import { priceOfReading, statePrice } from '../run-prices/run-prices.ts'
import { chosenTools, isUsual } from '../sessions/sessions.ts'

/** Options of a reply. Absent ones default to the session's. */
export type ReplyWish = {
  agent_type?: AgentType
  model_name?: string | null
  tool_choice?: string | null
  /** Mentions of the message. */
  mentions?: Mention[]
}

/** The session row as returned by the access check. */
type SessionRow = {
  id: string
  model_name: string | null
  session_metadata: Record<string, unknown>
  workspace_id?: string | null
}

/** Context window of models that do not state one. */
const DEFAULT_CONTEXT_TOKENS = 32_000
/** Limits of one reply. Planning agents get higher ones. */
const LIMITS = { model_calls: 12, steps: 1, seconds: 15 * 60 }
const PLANNING: readonly AgentType[] = ['plan_and_act', 'orchestrator', 'deep_research']
const PLANNING_LIMITS = { model_calls: 60, steps: 12, seconds: 60 * 60 }

/** Everything a reply needs, validated before anything is stored. */
export type ReplyPlan = Omit<StartRequest['input'], 'user_message_id'>

/** Plans the reply to a stored message. See `planMessage`. People whom it mentions were notified and may have left since. */
export async function planReply(
  deps: Deps,
  user: Caller,
  session: SessionRow,
  asked: ReplyWish,
): Promise<ReplyPlan> {
  const mentions = (asked.mentions ?? []).filter(({ kind }) => kind !== 'person')
  return (await planMessage(deps, user, session, { ...asked, mentions })).plan
}

/**
 * Determines model, agent and tools of a reply, and the names of what the message mentions. @throws AppError `insufficient_balance`, `quota_exceeded`,
 * `not_available` for an unknown model, tool or agent type, `not_granted` without a grant
 */
export async function planMessage(
  deps: Deps,
  caller: Caller,
  chat: SessionRow,
  asked: ReplyWish,
): Promise<{ plan: ReplyPlan; mentions: NamedMention[] }> {
  const audience = await deps.audiences.of(chat.id)
  const user: Caller = audience ? { ...caller, audience } : caller
  const key_id = keyOf(user)
  await assertBalance(deps, user.id, key_id, chat.workspace_id)
  await assertStorage(deps, user.id)
  const { agents } = deps.engine
  const isVisit = user.kind === 'visitor'
  const mentioned = await readMentions(deps, user, isVisit ? [] : mentionsFor(user, asked))
  // A mentioned assistant answers as it does in its own chat.
  const session = mentioned.assistant ? { ...chat, model_name: null, session_metadata: {} } : chat
  const assistant = mentioned.assistant ?? (await findChatAssistant(deps, user, session))
  if (isVisit && !assistant) throw new AppError('not_found', 'Assistant not found')
  // Visitors cannot change how an embedded assistant answers.
  const wish = isVisit ? {} : asked
  const agent_type = wish.agent_type ?? agentTypeOf(session, assistant)
  if (!agents[agent_type]) {
    throw new AppError('not_available', `The agent type ${agent_type} is not available on this server.`)
  }
  const modelName = wish.model_name || session.model_name || assistant?.model_name
  const model = await (modelName ? findModelFor(deps, user.id, modelName) : defaultModelFor(deps, user.id))
  const [onlyTool, anotherTool] = mentioned.tools
  const tool_choice = wish.tool_choice || (anotherTool ? null : onlyTool) || null
  await assertOpen(
    deps.grants,
    user.id,
    ...(agent_type === 'deep_research' ? [{ kind: 'feature' as const, id: agent_type }] : []),
    ...[...new Set([...(tool_choice ? [tool_choice] : []), ...mentioned.tools])].map((id) => ({
      kind: 'tool' as const,
      id,
    })),
  )
  const library = await freezeLibrary(deps, user.id, session.id, libraryOf(mentioned, assistant))
  const project = await freezeProject(deps, user, session.id)
  const hasDocuments = library.library !== undefined
  const seesPages = hasDocuments && (await deps.models.sees(model.id))
  const chosen = chosenTools(session, assistant)
  const asksFor = [...(tool_choice && chosen === null ? [tool_choice] : []), ...mentioned.tools]
  const tools = await freezeTools(deps, user, { chosen, assistant, named: asksFor, seesPages })
  for (const wanted of tool_choice ? [tool_choice, ...mentioned.tools] : mentioned.tools)
    if (!tools.some(({ id, policy }) => id === wanted && policy !== 'never'))
      throw new AppError('not_available', `The tool ${wanted} is not available in this session.`)
  const divides = agent_type === 'orchestrator'
  const team = divides ? { assistants: await freezeAssistants(deps, user, session, model, hasDocuments) } : {}
  const outward = await freezeOutward(deps, {
    ...{ user, sessionId: session.id, tools, ...library, ...team },
    assistant: assistant && (await isByOthers(deps, user, assistant)) ? assistant.name : null,
    project: project.project?.instructions && project.project.is_by_others ? project.project.name : null,
    quotes: mentioned.chats.length > 0,
  })
  const plan: ReplyPlan = {
    ...{ session_id: session.id, user_id: user.id, agent_type, ...frozenModel(model), tool_choice, tools },
    ...{
      language: user.language,
      ...frozenWords(assistant),
      ...(isVisit ? {} : frozenTuning(session, model)),
    },
    ...(user.timeZone && { time_zone: user.timeZone }),
    ...(key_id && { key_id }),
    ...(isVisit && { visitor: user.visitor }),
    // A never saved draft is not recorded.
    ...(assistant &&
      assistant.id !== session.id && { assistant: { id: assistant.id, name: assistant.name } }),
    ...(session.session_metadata.is_try === true && { is_try: true }),
    ...{ ...library, ...project, ...team, outward },
    ...(await planMemory(deps.db, user, { session, assistant, model: model.id })),
    ...(mentioned.chats.length > 0 && { quoted: mentioned.chats }),
    limits: PLANNING.includes(agent_type) ? PLANNING_LIMITS : LIMITS,
  }
  return { plan, mentions: mentioned.named }
}

/** A message in a channel quotes no other chat, which its members may not read. */
const mentionsFor = ({ audience }: Caller, { mentions = [] }: ReplyWish) =>
  audience ? mentions.filter(({ kind }) => kind === 'assistant' || kind === 'document') : mentions

/** Mentioned documents and projects replace those of the chat. */
function libraryOf({ documents, workspaces }: Mentioned, assistant: Assistant | null) {
  if (documents.length + workspaces.length > 0) return { documents, workspaces, isOnly: true }
  return assistant ?? { documents: [], workspaces: [] }
}

const isByOthers = async ({ db }: Deps, user: Caller, { id }: Assistant) =>
  (await findWrittenByOthers(db, user.id, [id])).has(id)

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

/** Settings of the chat, as far as its model has them. */
function frozenTuning({ session_metadata }: SessionRow, { tuning = [] }: AvailableModel) {
  const effort = ChosenEffort.safeParse(session_metadata.effort).data
  const temperature = Temperature.safeParse(session_metadata.temperature).data
  const max_words = AnswerWords.safeParse(session_metadata.max_words).data
  return {
    ...(effort && tuning.includes('effort') && { effort }),
    ...(temperature !== undefined && tuning.includes('temperature') && { temperature }),
    ...(max_words && tuning.includes('length') && { max_words }),
  }
}

/** Freezes the assistants for an orchestrator; the first is the default. An unavailable model is replaced by the session's. */
async function freezeAssistants(
  deps: Deps,
  user: Caller,
  { session_metadata }: SessionRow,
  fallback: AvailableModel,
  hasDocuments: boolean,
): Promise<FrozenAssistant[]> {
  const chosen = Team.safeParse(session_metadata.session_assistants)
  const offered = await offerAssistants(deps, user, chosen.success ? chosen.data : [])
  const ids = offered.map(({ id }) => id)
  const byOthers = await findWrittenByOthers(deps.db, user.id, ids)
  return Promise.all(
    offered.map(async (assistant) => {
      const { id, name, description, agent_type, model_name } = assistant
      const model = model_name
        ? await findModelFor(deps, user.id, model_name).catch(() => fallback)
        : fallback
      const seesPages = hasDocuments && (await deps.models.sees(model.id))
      const tools = await freezeTools(deps, user, { chosen: assistant.tools, assistant, seesPages })
      const foreign = byOthers.has(id) && ({ is_foreign: true } as const)
      const frozen = { id, name, description, agent_type, ...frozenModel(model), ...frozenWords(assistant) }
      return { ...frozen, tools, ...foreign }
    }),
  )
}

function agentTypeOf({ session_metadata }: SessionRow, assistant: Assistant | null): AgentType {
  const parsed = AgentType.safeParse(session_metadata.agent_type)
  return parsed.success ? parsed.data : (assistant?.agent_type ?? 'multi_turn')
}

type ToolWish = {
  /** Null for the default. */
  chosen: string[] | null
  assistant: Assistant | null
  /** Mentioned tools, offered in addition. */
  named?: readonly string[]
  /** The chat has documents, and its model sees. */
  seesPages: boolean
}

/**
 * Freezes the tools with their current policy. Visitors get only tools that need no approval, because they cannot give it, and
 * only the own tools named by their assistant. They get no tool that uses databases or accounts, which are open to named people only.
 * Neither do channels.
 */
async function freezeTools(
  deps: Deps,
  user: Caller,
  { chosen, assistant, named = [], seesPages }: ToolWish,
): Promise<FrozenTool[]> {
  const userId = user.id
  const isVisit = user.kind === 'visitor'
  const all = await deps.tools.load(userId)
  const resolve = await loadPolicies(deps, userId, assistant?.id ?? null)
  const offered = all.filter((tool) => {
    const { id, shows, onlyWith } = tool.contract
    if (shows === 'page' && !seesPages) return false
    if (isVisit && onlyWith !== undefined) return false
    if (user.audience && !readsForAll(tool)) return false
    return named.includes(id) || (chosen === null ? isUsual(tool, user) : chosen.includes(id))
  })
  const held = await Promise.all(offered.map((tool) => heldVersion(deps, userId, assistant, tool)))
  const frozen = held.map(({ tool, newest }) => {
    const { id, name, description, repeatable } = tool.contract
    // An owner's permission covers their own later changes; for other users' tools it covers one version.
    const { policy, source } = resolve(tool.made?.userId === userId ? newest : tool)
    const made = tool.made && {
      version: tool.made.version,
      ...(tool.made.isForeign && { is_foreign: true as const }),
      ...(tool.made.said && { set_id: tool.made.setId }),
    }
    const kept = { id, name, description, input_schema: tool.schema, repeatable, policy, ...made }
    // The user's own policy overrides the assistant's, so changing the latter would have no effect.
    if (policy !== 'ask' || !assistant?.can_share || source === 'user') return kept
    return { ...kept, assistant: { id: assistant.id, name: assistant.name } }
  })
  return isVisit ? frozen.filter(({ policy }) => policy === 'auto') : frozen
}

/** Tools that act for their person, or read with their accounts and secrets, are not used where others read the answer. */
const readsForAll = ({ contract: { id, onlyWith }, made }: LoadedTool) =>
  !made && onlyWith === undefined && id !== 'schedule' && id !== 'prospecting'

/** Returns a tool in the version pinned by the assistant, while that version exists. */
async function heldVersion(
  { tools }: Deps,
  userId: string,
  assistant: Assistant | null,
  newest: LoadedTool,
): Promise<{ tool: LoadedTool; newest: LoadedTool }> {
  const { id } = newest.contract
  const version = assistant?.tools?.includes(id) ? assistant.tool_versions?.[id] : undefined
  if (version === undefined || version === newest.made?.version) return { tool: newest, newest }
  return { tool: (await tools.find(id, userId, version)) ?? newest, newest }
}

/**
 * Starts the reply to a message that `prepare` finds or stores in the same transaction.
 * @throws AppError `session_busy`
 */
export async function startReply(
  deps: Deps,
  plan: ReplyPlan,
  prepare: (trx: Kysely<Tables>) => Promise<Message>,
  beforeFirst?: (run: Begun) => void,
): Promise<Begun> {
  const reading = await priceOfReading(deps.models, plan.model_name)
  const [pure, personal] = await Promise.all([deps.tools.pure(), deps.tools.personal()])
  const person = plan.memory ? await readPerson(deps, plan) : null
  const start = async (trx: Kysely<Tables>) => {
    const userMessage = await prepare(trx)
    const after = userMessage.id
    const price = reading === null ? null : await statePrice(trx, plan, { reading, after, bytes: 0 })
    const belief = await tellBelief(trx, plan.user_id, userMessage.id)
    const asked = { messageId: userMessage.id, userId: plan.user_id, pure }
    const outward = plan.outward && (await withEarlier(trx, plan.outward, asked))
    const memory = person && (await rememberAsked(trx, deps.clock, plan, { person, message: userMessage }))
    const { memory: _, ...rest } = plan
    const input = {
      ...(await withholdTools(trx, { ...rest, user_message_id: userMessage.id }, personal)),
      ...(memory && { memory }),
      ...(outward && { outward }),
      ...(belief === null ? {} : { belief }),
      ...(price && { price }),
    }
    return { input, userMessage }
  }
  return startRun(deps.engine, plan.session_id, start, beforeFirst)
}
