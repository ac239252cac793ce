import type { PhaseStatus } from '../../knowledge/rag/rag.ts'
import type { ToolEvent } from '../../runs/runs/blocks.ts'

/**
 * How far a tool of several phases is, the last of which writes. A phase that is told of completes all before it; the first words of the answer
 * start the last one, and the end completes it.
 */
export function readPhasesOf<Phase extends string>(
  order: readonly Phase[],
  events: readonly ToolEvent[],
  isOver: boolean,
): Record<Phase, PhaseStatus> {
  const phases = Object.fromEntries(order.map((phase) => [phase, 'pending'])) as Record<Phase, PhaseStatus>
  const writing = order.at(-1)
  const reach = (phase: Phase, status: PhaseStatus) => {
    for (const earlier of order.slice(0, order.indexOf(phase))) phases[earlier] = 'completed'
    // What is completed does not begin again.
    if (phases[phase] !== 'completed') phases[phase] = status
  }
  for (const { phase, status, data } of events) {
    const known = order.find((one) => one === phase)
    if (known) reach(known, status === 'completed' ? 'completed' : 'started')
    else if (writing && typeof data?.content === 'string' && data.content !== '') reach(writing, 'started')
  }
  if (isOver && writing) reach(writing, 'completed')
  return phases
}
