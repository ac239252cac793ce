import type { PhaseStatus } from '../../knowledge/rag/rag.ts'
import type { ToolEvent } from '../../runs/runs/blocks.ts'

/**
 * Tracks the phases of a tool whose last phase writes the answer. Reporting a phase completes all earlier ones; the first text
 * of the answer starts the last phase, and the end completes it.
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
    // A completed phase does not start again.
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
