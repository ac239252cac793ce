import type { ToolEvent } from '#shared/runs/runs/blocks.ts'

export type Phase = { name: string; state: 'done' | 'running' | 'failed' }

const done = new Set(['complete', 'completed', 'done', 'success', 'finished'])
const failed = new Set(['error', 'failed'])

/** Returns the phases a tool reported, in starting order, each with its latest state. */
export function readPhases(events: readonly ToolEvent[]): Phase[] {
  const phases = new Map<string, Phase>()
  for (const { phase, status = '' } of events) {
    if (phase === undefined) continue
    const state = done.has(status) ? 'done' : failed.has(status) ? 'failed' : 'running'
    phases.set(phase, { name: phase, state })
  }
  return [...phases.values()]
}

/** Returns the partial text a tool has streamed so far. */
export function partialText(events: readonly ToolEvent[]): string {
  return events.map(({ data }) => (typeof data?.content === 'string' ? data.content : '')).join('')
}
