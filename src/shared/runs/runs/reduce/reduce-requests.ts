import type { InputRequiredBlock } from '../blocks.ts'
import type { RunEvent } from '../events.ts'
import type { RunView } from '../view.ts'

/** Returns the block of an unanswered request. */
export function requestBlock(
  event: Omit<Extract<RunEvent, { event: 'input_required' }>, 'event' | 'run_id' | 'step_key' | 'attempt'>,
): InputRequiredBlock {
  const { id, checkpoint_name, prompt, input_types, deadline, created_at } = event
  const { kind, fields, tool, skippable, approver } = event
  return {
    ...{ type: 'input_required', id, checkpoint_name, prompt, input_types, deadline, created_at },
    ...{ state: 'waiting', input: null },
    ...(kind && { kind }),
    ...(fields && { fields }),
    ...(tool && { tool }),
    ...(event.default && { default: event.default }),
    ...(skippable && { skippable }),
    ...(approver && { approver }),
  }
}

/** Returns true when a request still waits; a run that pauses again repeats its open requests. */
export function isStillAsked(view: RunView, { id }: { id: string }): boolean {
  return view.blocks.some(
    (block) => block.type === 'input_required' && block.id === id && block.state === 'waiting',
  )
}

/** Returns true for the same request, or for one named after a step whose waiting checkpoint has already asked. */
export function isAlreadyAsked(
  view: RunView,
  { id, checkpoint_name }: { id: string; checkpoint_name: string },
) {
  const isStepNamed = /step\d+$/.test(checkpoint_name) && !checkpoint_name.includes('waiting_for_input')
  return view.blocks.some(
    (block) =>
      (block.type === 'input_required' && block.id === id) ||
      (isStepNamed &&
        (block.type === 'input_required' || block.type === 'checkpoint') &&
        block.checkpoint_name.includes('waiting_for_input_after_step')),
  )
}
