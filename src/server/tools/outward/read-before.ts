import type { ReadText } from '#shared/platform/outward.ts'
import type { DoneStep, RunContext } from '../../runs/runs/runs.ts'

/** What is known of a call before it is decided whether it needs an approval. */
export type Gate = {
  /** Text of others the model had read when it asked for the call. */
  read: ReadText[]
  /** A person approved just this text, and was told where it goes. */
  isShown?: boolean
}

/** A step of a call: its result, or a step inside of it. */
const CALL = /(?:^|\/)tool:(.+)$/

/**
 * The text of others a model had read before it asked for these calls: what the run began with, and what came of all calls
 * before. It follows from the journal alone, and is the same when some of these calls are done already.
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

/** The tool that began to work in a step; null for a call that was declined or refused, whose error is the product's own. */
function findRunning({ events }: DoneStep): { id: string; name: string } | null {
  for (const event of events)
    if (event.event === 'tool_update' && event.data.status === 'processing')
      return { id: event.tool_id, name: event.tool_name }
  return null
}
