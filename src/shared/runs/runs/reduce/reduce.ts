import type { Block, StepBlock } from '../blocks.ts'
import { boundTool, settledStatuses } from '../bound-tool.ts'
import type { RunEvent } from '../events.ts'
import { addSources } from '../sources.ts'
import { beginsWork, findNewest, stepOf } from '../steps.ts'
import type { RunUsage } from '../usage.ts'
import type { RunView } from '../view.ts'
import { closeThought, endThought, insert, memberOf, nextId, replace } from './change-blocks.ts'
import { noteAdapted, noteFallback, noteSteering, retell, rethink } from './reduce-model.ts'
import { isAlreadyAsked, isStillAsked, requestBlock } from './reduce-requests.ts'
import { updateTool } from './reduce-tools.ts'

/**
 * Returns the state of a message after one more event. Pure: the given view stays unchanged, and untouched blocks
 * keep their identity. The cost does not depend on the length of the text.
 * `task_stream_init` replaces everything; duplicates and unknown events return the view unchanged.
 */
export function applyEvent(view: RunView | null, event: RunEvent): RunView | null {
  if (event.event === 'task_stream_init') return event.view
  const present = view?.delay ? withoutDelay(view) : view
  if (event.event === 'agent_processing_started') return startView(present, event)
  return present && changeView(present, event)
}

function withoutDelay({ delay: _, ...view }: RunView): RunView {
  return view
}

/** Folds a list of events into a view, starting from `view`. */
export function foldEvents(view: RunView | null, events: readonly RunEvent[]): RunView | null {
  return events.reduce(applyEvent, view)
}

function startView(
  view: RunView | null,
  event: Extract<RunEvent, { event: 'agent_processing_started' }>,
): RunView {
  if (view && view.message_id === event.message_id) return view
  const { run_id, session_id, message_id, user_message_id, agent_type, model_name, assistant } = event
  return {
    ...{ run_id: run_id ?? '', session_id, message_id, user_message_id, agent_type, model_name },
    ...(assistant && { assistant }),
    ...{ status: 'streaming', stopped: false, content: '', blocks: [], progress: null },
  }
}

function changeView(view: RunView, event: RunEvent): RunView {
  switch (event.event) {
    case 'response_chunk':
      return appendText(view, event.content, stepOf(event))
    case 'response_checked':
      return noteDoubts(view, event)
    case 'response_sources':
      return nameSources(view, event)
    case 'model_fallback':
      return noteFallback(view, event)
    case 'model_adapted':
      return noteAdapted(view, event)
    case 'agent_steered':
      return noteSteering(view, event)
    case 'response_rethought':
      return rethink(view, event)
    case 'thinking_retold':
      return retell(view, event)
    case 'model_waiting':
      return noteWaiting(view, event)
    case 'agent_thinking':
      return appendThought(view, event)
    case 'agent_step_started':
    case 'agent_step_progress':
    case 'agent_step_completed':
      return changeStep(view, event)
    case 'agent_progress':
      return { ...view, progress: readProgress(event) }
    case 'tool_update':
    case 'tool_input_required':
    case 'tool_partial_update':
      return changeTool(view, event)
    case 'checkpoint_created':
      return addCheckpoint(view, event)
    case 'input_required':
      return addInputRequest(view, event)
    case 'input_received':
      return receiveInput(view, event)
    case 'agent_task_paused':
      return pause(view, event)
    case 'agent_task_resumed':
      return view.status === 'streaming'
        ? view
        : { ...view, status: 'streaming', blocks: withoutPause(view.blocks) }
    case 'agent_delayed':
      return { ...view, delay: event.reason }
    case 'agent_processing_complete':
      return complete(view, event)
    case 'agent_processing_error':
      return fail(view, event)
    case 'response_stream_end':
      return endText(view, event)
    case 'task_stream_init':
    case 'agent_processing_started':
    case 'response_stream_start':
    case 'checkpoint_navigation':
    case 'agent_pause_requested':
      return view
    default:
      event satisfies never
      return view
  }
}

function readProgress({ progress, step_name, planned }: Extract<RunEvent, { event: 'agent_progress' }>) {
  return planned ? { progress, step_name, planned } : { progress, step_name }
}

function appendText(view: RunView, text: string, step: number | null): RunView {
  if (text === '') return view
  const content = view.content + text
  const at = findNewest(view.blocks, step)
  const last = view.blocks[at]
  if (last?.type === 'text' && (last.step ?? null) === step)
    return { ...view, content, blocks: replace(view.blocks, at, { ...last, text: last.text + text }) }
  const block: Block = { type: 'text', id: nextId(view, 'text', step), text, ...memberOf(step) }
  return { ...view, content, blocks: insert(view.blocks, block, step) }
}

/** Marks how a text ended. Clears the mark of a text that continued. */
function endText(view: RunView, event: Extract<RunEvent, { event: 'response_stream_end' }>): RunView {
  const step = stepOf(event)
  const at = view.blocks.findLastIndex((block) => block.type === 'text' && (block.step ?? null) === step)
  const text = view.blocks[at]
  if (text?.type !== 'text') return view
  const { is_cut = false, is_filtered = false, ...whole } = text
  const { is_cut: isCut = false, is_filtered: isFiltered = false } = event
  if (is_cut === isCut && is_filtered === isFiltered) return view
  const ended = {
    ...whole,
    ...(isCut && { is_cut: true }),
    ...(isFiltered && { is_filtered: true }),
  }
  return { ...view, blocks: replace(view.blocks, at, ended) }
}

/** Adds sources to the newest text of their step; ignores them without a text. */
function nameSources(view: RunView, event: Extract<RunEvent, { event: 'response_sources' }>): RunView {
  const step = stepOf(event)
  const at = view.blocks.findLastIndex((block) => block.type === 'text' && (block.step ?? null) === step)
  const text = view.blocks[at]
  if (text?.type !== 'text' || event.sources.length === 0) return view
  const sources = addSources(text.sources ?? [], event.sources)
  return { ...view, blocks: replace(view.blocks, at, { ...text, sources }) }
}

/** Replaces the doubts of the newest text of their step. */
function noteDoubts(view: RunView, event: Extract<RunEvent, { event: 'response_checked' }>): RunView {
  const step = stepOf(event)
  const at = view.blocks.findLastIndex((block) => block.type === 'text' && (block.step ?? null) === step)
  const text = view.blocks[at]
  if (text?.type !== 'text') return view
  const { doubts: _, ...trusted } = text
  const { doubts } = event
  return { ...view, blocks: replace(view.blocks, at, doubts.length > 0 ? { ...trusted, doubts } : trusted) }
}

function noteWaiting(view: RunView, { limit }: Extract<RunEvent, { event: 'model_waiting' }>): RunView {
  return limit ? { ...view, waiting: limit } : withoutWaiting(view)
}

function withoutWaiting({ waiting: _, ...view }: RunView): RunView {
  return view
}

function appendThought(view: RunView, event: Extract<RunEvent, { event: 'agent_thinking' }>): RunView {
  if (event.content === '') return view
  const step = stepOf(event)
  const at = findNewest(view.blocks, step)
  const last = view.blocks[at]
  const last_at = event.until ?? event.timestamp
  if (last?.type === 'thinking' && last.duration_ms === null && (last.step ?? null) === step) {
    const grown: Block = { ...last, text: last.text + event.content, last_at }
    return { ...view, blocks: replace(view.blocks, at, grown) }
  }
  const block: Block = {
    ...{ type: 'thinking', id: nextId(view, 'thinking', step), text: event.content },
    ...{ started_at: event.timestamp, last_at, duration_ms: null, ...memberOf(step) },
  }
  return { ...view, blocks: insert(view.blocks, block, step) }
}

type StepEvent = Extract<RunEvent, { event: `agent_step_${string}` }>

function changeStep(view: RunView, event: StepEvent): RunView {
  const at = view.blocks.findLastIndex((block) => block.type === 'step' && block.number === event.number)
  const step = view.blocks[at]
  if (step?.type !== 'step') return event.event === 'agent_step_started' ? addStep(view, event) : view
  if (event.event === 'agent_step_progress') {
    const { progress, message } = event
    const says = message !== null && message !== step.message
    const before = says ? endThought(view.blocks, step.number) : view.blocks
    return { ...view, blocks: replace(before, at, { ...step, progress, message }) }
  }
  const isCompleted = event.event === 'agent_step_completed'
  if (!isCompleted || step.completed) return view
  const end = { ...(event.failed ? { failed: true } : { completed: true }), ...lasted(step, event) }
  return { ...view, blocks: replace(endThought(view.blocks, step.number), at, { ...step, ...end }) }
}

/** Returns the duration of a step in milliseconds when both timestamps are known. */
function lasted({ started_at }: StepBlock, { timestamp }: { timestamp?: string }) {
  if (!started_at || !timestamp) return {}
  return { duration_ms: Math.max(0, Date.parse(timestamp) - Date.parse(started_at)) }
}

function addStep(view: RunView, event: Extract<RunEvent, { event: 'agent_step_started' }>): RunView {
  const { number, description, single_step, timestamp } = event
  const block: Block = {
    ...{ type: 'step', id: `step-${number}`, number, description, single_step },
    ...{ completed: false, progress: null, message: null },
    ...(timestamp ? { started_at: timestamp } : {}),
  }
  // Concurrent steps start in any order and are shown by number.
  const later = view.blocks.findIndex((other) => other.type === 'step' && other.number > number)
  return { ...view, blocks: later < 0 ? push(view.blocks, block) : view.blocks.toSpliced(later, 0, block) }
}

type ToolRunEvent = Extract<RunEvent, { event: `tool_${string}` }>

function changeTool(view: RunView, event: ToolRunEvent): RunView {
  const at = view.blocks.findLastIndex(
    (block) => block.type === 'tool' && block.id === event.tool_execution_id,
  )
  const before = view.blocks[at]
  const told = updateTool(before?.type === 'tool' ? before : null, event)
  if (!told || told === before) return view
  const after = boundTool(told)
  if (at >= 0) return { ...view, blocks: replace(view.blocks, at, after) }
  const step = stepOf(event)
  return { ...view, blocks: insert(view.blocks, { ...after, ...memberOf(step) }, step) }
}

function addCheckpoint(view: RunView, event: Extract<RunEvent, { event: 'checkpoint_created' }>): RunView {
  if (view.blocks.some((block) => block.type === 'checkpoint' && block.id === event.id)) return view
  const { id, checkpoint_name, created_at } = event
  const block: Block = {
    type: 'checkpoint',
    id,
    checkpoint_name,
    created_at,
    run_id: event.run_id ?? view.run_id,
  }
  return { ...view, blocks: push(view.blocks, block) }
}

function addInputRequest(view: RunView, event: Extract<RunEvent, { event: 'input_required' }>): RunView {
  if (isStillAsked(view, event) && view.status === 'streaming') return { ...view, status: 'waiting' }
  if (isAlreadyAsked(view, event)) return view
  return { ...view, status: 'waiting', blocks: push(view.blocks, requestBlock(event)) }
}

function receiveInput(view: RunView, event: Extract<RunEvent, { event: 'input_received' }>): RunView {
  const at = view.blocks.findLastIndex(
    (block) =>
      block.type === 'input_required' &&
      block.checkpoint_name === event.checkpoint_name &&
      block.state === 'waiting',
  )
  const asked = view.blocks[at]
  if (asked?.type !== 'input_required') return view
  const { input, input_type, answered_at, by_default, answered_by } = event
  const given = {
    ...{ input, input_type, ...(answered_at && { answered_at }) },
    ...(by_default && { by_default }),
    ...(answered_by && { answered_by }),
  }
  const blocks = replace(view.blocks, at, { ...asked, state: 'provided', ...given })
  return { ...view, status: 'streaming', blocks }
}

function pause(view: RunView, event: Extract<RunEvent, { event: 'agent_task_paused' }>): RunView {
  if (view.blocks.at(-1)?.type === 'paused') return view
  const { checkpoint_name, timestamp: created_at, reason = 'request', budget, at_step } = event
  const block: Block = {
    ...{ type: 'paused', id: nextId(view, 'paused'), reason, checkpoint_name, created_at },
    ...(budget && { budget }),
    ...(at_step && { at_step }),
  }
  return { ...view, status: 'paused', blocks: push(view.blocks, block) }
}

function withoutPause(blocks: Block[]): Block[] {
  return blocks.some(({ type }) => type === 'paused')
    ? blocks.filter(({ type }) => type !== 'paused')
    : blocks
}

function complete(view: RunView, event: Extract<RunEvent, { event: 'agent_processing_complete' }>): RunView {
  const message_id = finalId(event.message_id, view.message_id)
  const blocks = closeBlocks(withoutPause(view.blocks), event.stopped ? 'Stopped' : null)
  return {
    ...withoutWaiting(view),
    message_id,
    status: 'completed',
    stopped: event.stopped,
    blocks,
    ...usageIn(event),
  }
}

const usageIn = ({ usage }: { usage?: RunUsage | undefined }) => usage && { usage }

/** Ignores the text `None`, which Python servers send for a missing id. */
function finalId(given: string, streaming: string): string {
  return given && given !== 'None' ? given : streaming
}

function fail(before: RunView, event: Extract<RunEvent, { event: 'agent_processing_error' }>): RunView {
  const view = { ...withoutWaiting(before), blocks: withoutUnanswered(withoutPause(before.blocks)) }
  const { error, code, traceback, step, timestamp } = event
  const isKnown = view.blocks.some(
    (block) => block.type === 'error' && block.error === error && block.timestamp === timestamp,
  )
  if (isKnown) return before
  const block: Block = { type: 'error', id: nextId(view, 'error'), error, code, traceback, step, timestamp }
  const lastCheckpoint = view.blocks.findLastIndex(({ type }) => type === 'checkpoint')
  const hasBegunWork = beginsWork(view.blocks[lastCheckpoint])
  const at = lastCheckpoint < 0 || hasBegunWork ? view.blocks.length : lastCheckpoint + 1
  const message_id = finalId(event.message_id, view.message_id)
  return {
    ...view,
    message_id,
    status: 'error',
    blocks: closeBlocks(view.blocks, error).toSpliced(at, 0, block),
    ...usageIn(event),
  }
}

/** Removes a fallback model that did not answer either. */
function withoutUnanswered(blocks: Block[]): Block[] {
  return blocks.at(-1)?.type === 'fallback' ? blocks.slice(0, -1) : blocks
}

/** Closes open blocks at the end: thoughts get a duration, unfinished tools the reason, questions close. */
function closeBlocks(blocks: Block[], reason: string | null): Block[] {
  if (!blocks.some(isOpen)) return blocks
  return blocks.map((block) => {
    if (block.type === 'thinking') return closeThought(block)
    if (block.type === 'input_required' && isOpen(block)) return { ...block, state: 'closed' }
    if (block.type === 'tool' && isOpen(block))
      return boundTool({ ...block, status: 'failed', error: block.error ?? reason })
    return block
  })
}

function isOpen(block: Block): boolean {
  if (block.type === 'thinking') return block.duration_ms === null
  if (block.type === 'input_required') return block.state === 'waiting'
  return block.type === 'tool' && !settledStatuses.has(block.status)
}

const push = (blocks: Block[], block: Block) => insert(blocks, block, null)
