import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import { sayTrouble } from '#shared/models/connections/provider-trouble.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Fallback } from '#shared/runs/runs/blocks.ts'
import type { RunEventBody } from '#shared/runs/runs/events.ts'
import { askVerdicts, payInStep, type RunEvidence } from '../../../knowledge/rag/rag.ts'
import { briefPages } from '../../../knowledge/web-search/web-search.ts'
import { countMessages } from '../../../models/models/asking/count-messages.ts'
import type {
  ModelCall,
  ModelMessage,
  ModelPart,
  ModelTool,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  Usage,
} from '../../../models/models/port.ts'
import { tellMemory } from '../../../models/models/told-memory.ts'
import { executionId, type Leaf, type RunContext } from '../../../runs/runs/runs.ts'
import type { ToolCall } from '../../../tools/tools/tools.ts'
import { memoryForCall } from '../../memory/memory.ts'
import type { AgentKit } from '../kit.ts'
import { keepContextUse } from '../prompt/store.ts'
import { announceCalls } from './announce-calls.ts'
import { briefQueries } from './brief-queries.ts'
import { type CitedText, createCitedText } from './cited-text.ts'
import { type Asked, beginAsking, streamOrFallBack } from './fall-back.ts'
import { collectSources } from './found-sources.ts'
import { measurePrompt } from './measure-prompt.ts'
import { createScreen, endOf, type TextEnd } from './screen.ts'
import { FIND_TOOLS } from './tool-search.ts'
import type { Voices } from './voices.ts'

type Call = Omit<ModelCall, 'model'>

export type ModelReply = {
  content: (TextPart | ReasoningPart | ToolCallPart)[]
  /** Tool calls to execute. */
  calls: ToolCall[]
  /** Calls of the agent's control tools, which the agent handles itself. */
  controls: ToolCallPart[]
  /** All passages the message cites so far, by number; absent when there is nothing to cite. */
  cited?: string[]
  /** Set when a fallback model answered. */
  fallback?: Fallback
}

export type ModelRequest = {
  messages: ModelMessage[]
  tool_choice: ModelCall['tool_choice']
  /** Requests structured data instead of prose. It is not shown, and no tools are offered. */
  output?: ModelCall['output']
  /** Control tools with which the model steers the agent. */
  controls?: ModelTool[]
  /** The tools offered to the model. Default: all. */
  tools?: ModelTool[]
  /** Events to send when the call starts. */
  notes?: RunEventBody[]
  /** Loads the agent's own findings to cite instead of documents; no tools are offered then. Runs inside the step. */
  material?: () => Promise<Material>
}

export type Material = { messages: ModelMessage[]; cited: CitedText }

type CallKit = AgentKit & { evidence: RunEvidence; voices: Voices }

/** Returns the tools the model may see. */
export function offeredTools(run: RunContext): ModelTool[] {
  return run.input.tools
    .filter(({ policy }) => policy !== 'never')
    .map(({ id, description, input_schema }) => ({ name: id, description, input_schema }))
}

/** Makes one model call as one step: streams text and thoughts, and books usage with the record. */
export function callModel(
  run: RunContext,
  kit: CallKit,
  key: string,
  request: ModelRequest,
): Promise<ModelReply> {
  return run.step(key, async (leaf) => {
    const { messages, cited: text } = await (request.material?.() ?? tellEvidence(kit, request))
    const asked = beginAsking(leaf, kit.voices.model)
    const memoryOf = await memoryForCall(run, kit, leaf)
    const toldTo = (model: string) => kit.voices.tellTo(model, messages)
    const callOf = (model: string) =>
      writeCall(run, { ...request, messages: tellMemory(toldTo(model), memoryOf(model)) })
    const told = toldTo(asked.model)
    const call = callOf(asked.model)
    await leaf.reserve(asked.model, call)
    for (const note of request.notes ?? []) leaf.emit(note)
    if (leaf.lostText !== null) await billLost(kit, leaf, asked.model, call, leaf.lostText)
    const answer = await readAnswer(run, kit, leaf, { asked, callOf }, text)
    await noteContext(run, kit, leaf, {
      asked: request.messages,
      told,
      model: asked.model,
      call,
      usage: answer.usage,
    })
    const named = nameCalls(run, key, answer.content)
    if (answer.text === '' && named.length === 0) throw emptyAnswer(answer.finish)
    const isControl = ({ tool_id }: ToolCall) =>
      tool_id === FIND_TOOLS || (request.controls ?? []).some(({ name }) => name === tool_id)
    const calls = named.filter((one) => !isControl(one))
    announceCalls(run, leaf, calls)
    const ids = new Set(named.filter(isControl).map(({ id }) => id))
    const controls = answer.content.filter((part) => part.type === 'tool-call' && ids.has(part.id))
    const cited = text.cited()
    const { fallback } = asked
    return {
      ...{ content: answer.content, calls, controls: controls as ToolCallPart[] },
      ...(cited && { cited }),
      ...(fallback && { fallback }),
    }
  })
}

type Sent = { asked: ModelMessage[]; told: ModelMessage[]; model: string; call: Call; usage: Usage | null }

/** Stores what filled the window, with the reply that the call belongs to. */
async function noteContext(
  { input }: RunContext,
  kit: AgentKit,
  leaf: Leaf,
  { asked, told, model, call, usage }: Sent,
): Promise<void> {
  // Sub-runs and structured answers are not the conversation.
  if (input.task !== undefined || input.is_alternative || call.output) return
  const total = usage?.input_tokens ?? (await countMessages(kit, model, call.messages))
  const parts = measurePrompt({ asked, told, sent: call.messages, tools: call.tools }, total)
  const is_estimated = usage?.estimated ?? true
  const use = { model_name: model, window: input.context_tokens, total, is_estimated, parts }
  leaf.together((trx) => keepContextUse(trx, input.message_id, use))
}

/** Adds evidence to the messages and prepares the check of the answer against it. */
async function tellEvidence(
  { evidence }: { evidence: RunEvidence },
  request: ModelRequest,
): Promise<Material> {
  const briefing = request.output ? null : await evidence.brief(request.messages)
  const told = briefPages(briefing?.messages ?? request.messages, { isNumbered: !briefing })
  const { pages } = told
  const { messages, queries } = briefQueries(told.messages, briefing?.passages.length ?? pages.length)
  return { messages, cited: createCitedText(briefing, pages, queries) }
}

function writeCall(run: RunContext, request: ModelRequest): Call {
  const { messages, output, material, controls = [] } = request
  const { language, temperature, effort, time_zone, started_at, user_id } = run.input
  return {
    ...{ messages, tool_choice: request.tool_choice, language },
    caller: { person: user_id, is_background: false },
    ...(time_zone && { asked: { at: started_at, time_zone } }),
    tools: output || material ? [] : [...(request.tools ?? offeredTools(run)), ...controls],
    ...(output ? { output } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(effort && { sampling: { effort } }),
  }
}

/** Returns the prose of a reply. */
export function textOf({ content }: Pick<ModelReply, 'content'>): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

export type Answer = {
  content: ModelReply['content']
  text: string
  usage: Usage | null
  finish: string | null
}

async function readAnswer(
  run: RunContext,
  kit: AgentKit,
  leaf: Leaf,
  { asked, callOf }: { asked: Asked; callOf: (model: string) => Call },
  cited: CitedText,
): Promise<Answer> {
  const { message_id } = run.input
  const answer: Answer = { content: [], text: '', usage: null, finish: null }
  const isShown = callOf(asked.model).output === undefined
  const sources = collectSources()
  const screen = createScreen(leaf, message_id)
  const endText = (end: TextEnd | null) => {
    if (answer.text === '' || !isShown) return
    screen.show(cited.end())
    screen.end([...cited.sources(), ...sources.all()], () => cited.check(leaf), end)
  }
  try {
    await streamOrFallBack({ run, kit, leaf }, asked, callOf, (part) => {
      if (part.type === 'text') {
        answer.text += part.text
        if (isShown) screen.show(cited.push(part.text))
      } else if (part.type === 'reasoning' && part.text !== '') {
        const timestamp = kit.clock.now().toISOString()
        leaf.emit({ event: 'agent_thinking', content: part.text, timestamp })
      } else if (part.type === 'source') sources.take(part)
      else if (part.type === 'rethought')
        rethink(leaf, answer, isShown ? kit.clock.now().toISOString() : null)
      else if (part.type === 'retold') retell(leaf, answer)
      else if (part.type === 'adapted')
        leaf.emit({ event: 'model_adapted', adaptations: nameTools(run, part.adaptations) })
      takePart(answer, part)
    })
  } catch (error) {
    endText(null)
    if (answer.content.length > 0) await bill(kit, leaf, asked.model, callOf(asked.model), answer)
    throw error
  }
  endText(endOf(answer.finish))
  await bill(kit, leaf, asked.model, callOf(asked.model), answer)
  if (answer.text !== '' && isShown) await verify(run, kit, leaf, asked.model, cited)
  const absent = cited.absent()
  if (absent !== null) putInPlace(answer, absent)
  return answer
}

/** Has a model judge the citations of a whole answer, where one is chosen for that. The person pays for it in the same step. */
async function verify(
  { input, signal }: RunContext,
  kit: AgentKit,
  leaf: Leaf,
  model: string,
  cited: CitedText,
): Promise<void> {
  if (cited.absent() !== null) return
  const payer = payInStep(kit, input.user_id, () => leaf, 'documents')
  const { language } = input
  await cited.verify(leaf, (answer, passages, doubts) =>
    askVerdicts(kit, { answer, passages, model, language }, doubts, { signal, payer }),
  )
}

/** Tools by the names people know them by. */
function nameTools({ input }: RunContext, adaptations: Adaptation[]): Adaptation[] {
  return adaptations.map((one) => {
    const tool = one.name === 'left_out_tool' && input.tools.find(({ id }) => id === one.about)
    return tool ? { ...one, about: tool.name } : one
  })
}

/** Turns text into thoughts when a model marked only their end and so streamed them as its answer. */
function rethink(leaf: Leaf, answer: Answer, timestamp: string | null): void {
  answer.text = ''
  answer.content = answer.content.map((part) =>
    part.type === 'text' ? { type: 'reasoning', text: part.text } : part,
  )
  if (timestamp) leaf.emit({ event: 'response_rethought', timestamp })
}

/** Drops thoughts that were the answer, before they follow as text. */
function retell(leaf: Leaf, answer: Answer): void {
  answer.content = answer.content.filter(({ type }) => type !== 'reasoning')
  leaf.emit({ event: 'thinking_retold' })
}

/** Replaces the model's own words for "not in the documents" with the sentence that was shown. */
function putInPlace(answer: Answer, sentence: string): void {
  const at = answer.content.findIndex(({ type }) => type === 'text')
  answer.content = answer.content.flatMap((part, index): ModelReply['content'] => {
    if (part.type !== 'text') return [part]
    return index === at ? [{ type: 'text', text: sentence }] : []
  })
}

/** Appends a part and merges it with a preceding part of the same kind. Provider data stays with its part. */
export function takePart(answer: Omit<Answer, 'text'>, part: ModelPart): void {
  if (part.type === 'usage') answer.usage = part
  if (part.type === 'finish') answer.finish = part.reason
  if (part.type === 'tool-call') answer.content.push(part)
  const last = answer.content.at(-1)
  if (part.type === 'text') {
    if (last?.type === 'text') last.text += part.text
    else answer.content.push({ ...part })
  }
  if (part.type === 'reasoning') {
    if (last?.type !== 'reasoning') answer.content.push({ ...part })
    else {
      last.text += part.text
      if (part.metadata) last.metadata = { ...last.metadata, ...part.metadata }
    }
  }
}

async function bill(
  kit: AgentKit,
  leaf: Leaf,
  model_name: string,
  call: Call,
  { usage, content }: Answer,
): Promise<void> {
  leaf.bill({
    model_name,
    reason: 'reply',
    usage: usage ?? (await estimateUsage(kit, model_name, call, content)),
  })
}

/** Bills the cost of a lost attempt to the installation. */
async function billLost(
  kit: AgentKit,
  leaf: Leaf,
  model_name: string,
  call: Call,
  text: string,
): Promise<void> {
  const usage = await estimateUsage(kit, model_name, call, [{ type: 'text', text }])
  leaf.bill({ model_name, reason: 'reply', usage, isLost: true })
}

export async function estimateUsage(
  kit: Pick<AgentKit, 'models'>,
  model: string,
  call: Omit<ModelCall, 'model'>,
  content: ModelReply['content'],
): Promise<Usage> {
  const [input_tokens, output_tokens] = await Promise.all([
    countMessages(kit, model, call.messages),
    countMessages(kit, model, [{ role: 'assistant', content }]),
  ])
  return { input_tokens, output_tokens, cached_tokens: 0, reasoning_tokens: 0, estimated: true }
}

/** Makes call ids unique with the step's key, because some providers number calls from 0 in every answer. */
function nameCalls(run: RunContext, key: string, content: ModelReply['content']): ToolCall[] {
  const seen = new Set<string>()
  return content.flatMap((part, index) => {
    if (part.type !== 'tool-call') return []
    const id = part.id && !seen.has(part.id) ? part.id : `${part.id || 'call'}_${index}`
    seen.add(id)
    part.id = id
    const call = { id, key: `${key}/${id}`, tool_id: part.name, input: part.input }
    return [{ ...call, execution_id: executionId(run.id, call.key) }]
  })
}

function emptyAnswer(finish: string | null): AppError {
  if (finish === 'content-filter') return new AppError('provider_failed', sayTrouble('filtered'))
  if (finish === 'length')
    return new AppError('provider_failed', 'The model used all its tokens before it answered.')
  return new AppError('provider_failed', 'The model gave an empty answer. Try again or choose another model.')
}
