import type { ReadText } from '#shared/platform/outward.ts'
import type { DoneStep, RunContext } from '../../runs/runs/runs.ts'

/** The facts known before deciding whether a call needs an approval. */
export type Gate = {
  /** Foreign text the model had read when it requested the call. */
  read: ReadText[]
  /** A person has approved exactly this text and destination. */
  isShown?: boolean
}

/** Matches a step of a call: its result, or a step inside it. */
const CALL = /(?:^|\/)tool:(.+)$/

/**
 * Returns the foreign text that a model had read before it requested these calls: the initial text of the run and the
 * results of all earlier calls. Derived from the journal alone, so it is the same after some of these calls are done.
 */
export function readBefore(
  run: Pick<RunContext, 'input' | 'doneSteps'>,
  calls: readonly { key: string }[],
  pure: readonly string[],
): ReadText[] {
  const { outward } = run.input
  if (!outward) return []
  const own = calls.map(({ key }) => key)
  const read = [...outward.read]
  for (const step of run.doneSteps()) {
    const key = CALL.exec(step.key)?.[1]
    if (key === undefined || own.some((one) => key === one || key.startsWith(`${one}/`))) continue
    const tool = findRunning(step)
    if (!tool || pure.includes(tool.id)) continue
    if (!read.some(({ kind, name }) => kind === 'tool' && name === tool.name))
      read.push({ kind: 'tool', name: tool.name })
  }
  return read
}

/** Returns the tool that ran in a step; null for a declined or refused call, whose error is the product's own text. */
function findRunning({ events }: DoneStep): { id: string; name: string } | null {
  for (const event of events)
    if (event.event === 'tool_update' && event.data.status === 'processing')
      return { id: event.tool_id, name: event.tool_name }
  return null
}
