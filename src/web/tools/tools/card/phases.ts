import type { ToolEvent } from '#shared/runs/runs/blocks.ts'

export type Phase = { name: string; state: 'done' | 'running' | 'failed' }

const done = new Set(['complete', 'completed', 'done', 'success', 'finished'])
const failed = new Set(['error', 'failed'])

/** The phases a tool told of, in the order in which they began, each with its last state. */
export function readPhases(events: readonly ToolEvent[]): Phase[] {
  const phases = new Map<string, Phase>()
  for (const { phase, status = '' } of events) {
    if (phase === undefined) continue
    const state = done.has(status) ? 'done' : failed.has(status) ? 'failed' : 'running'
    phases.set(phase, { name: phase, state })
  }
  return [...phases.values()]
}

/** What a tool has written so far of a result that grows. */
export function partialText(events: readonly ToolEvent[]): string {
  return events.map(({ data }) => (typeof data?.content === 'string' ? data.content : '')).join('')
}
