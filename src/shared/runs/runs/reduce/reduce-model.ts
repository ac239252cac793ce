import type { Adaptation } from '../../../models/connections/adaptations.ts'
import type { Block } from '../blocks.ts'
import type { RunEvent } from '../events.ts'
import { findNewest, stepOf } from '../steps.ts'
import type { RunView } from '../view.ts'
import { insert, memberOf, nextId, replace } from './change-blocks.ts'

/** Adds one line from the first model to the final one; fallbacks that failed as well are omitted. */
export function noteFallback(view: RunView, event: Extract<RunEvent, { event: 'model_fallback' }>): RunView {
  const step = stepOf(event)
  const { asked, answered, reason } = event
  const at = findNewest(view.blocks, step)
  const before = view.blocks[at]
  if (before?.type === 'fallback' && before.answered.id === asked.id)
    return { ...view, blocks: replace(view.blocks, at, { ...before, answered }) }
  const id = nextId(view, 'fallback', step)
  const block: Block = { type: 'fallback', id, asked, answered, reason, ...memberOf(step) }
  return { ...view, blocks: insert(view.blocks, block, step) }
}

/** Adds each adaptation to the message once. */
export function noteAdapted(view: RunView, event: Extract<RunEvent, { event: 'model_adapted' }>): RunView {
  const told = view.blocks.flatMap((block) => (block.type === 'adapted' ? block.adaptations : []))
  const isNew = ({ name, about }: Adaptation) => !told.some((one) => one.name === name && one.about === about)
  const adaptations = event.adaptations.filter(isNew)
  if (adaptations.length === 0) return view
  const step = stepOf(event)
  const block: Block = { type: 'adapted', id: nextId(view, 'adapted', step), adaptations, ...memberOf(step) }
  return { ...view, blocks: insert(view.blocks, block, step) }
}

/** Adds what the person said while the run worked. A resumed run sends it again. */
export function noteSteering(view: RunView, event: Extract<RunEvent, { event: 'agent_steered' }>): RunView {
  const id = `steering-${event.id}`
  if (view.blocks.some((block) => block.id === id)) return view
  const step = stepOf(event)
  const { content: text, sent_at, timestamp: read_at } = event
  const block: Block = { type: 'steering', id, text, sent_at, read_at, ...memberOf(step) }
  return { ...view, blocks: insert(view.blocks, block, step) }
}

/** Turns the newest text into a thought. */
export function rethink(view: RunView, event: Extract<RunEvent, { event: 'response_rethought' }>): RunView {
  const step = stepOf(event)
  const at = findNewest(view.blocks, step)
  const said = view.blocks[at]
  if (said?.type !== 'text') return view
  const content = view.content.endsWith(said.text)
    ? view.content.slice(0, view.content.length - said.text.length)
    : view.content
  const thought: Block = {
    ...{ type: 'thinking', id: nextId(view, 'thinking', step), text: said.text },
    ...{ started_at: event.timestamp, last_at: event.timestamp, duration_ms: null, ...memberOf(step) },
  }
  return { ...view, content, blocks: replace(view.blocks, at, thought) }
}

/** Removes the newest thought of its step, which was the answer. */
export function retell(view: RunView, event: Extract<RunEvent, { event: 'thinking_retold' }>): RunView {
  const step = stepOf(event)
  const at = findNewest(view.blocks, step)
  const thought = view.blocks[at]
  if (thought?.type !== 'thinking' || (thought.step ?? null) !== step) return view
  return { ...view, blocks: view.blocks.toSpliced(at, 1) }
}
