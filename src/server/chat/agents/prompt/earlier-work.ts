import type { ModelMessage } from '../../../models/models/port.ts'
import type { Database } from '../../../platform/db/db.ts'
import { type EarlierCalls, loadEarlierCalls } from './earlier-calls.ts'
import { loadSteering, type PathMessage } from './store.ts'

/** Returns the tool calls of earlier replies, with what the person added while they were written. */
export async function loadEarlierWork(
  db: Database,
  path: readonly PathMessage[],
  contextTokens: number,
): Promise<EarlierCalls> {
  const replies = path.filter(({ role }) => role === 'assistant').map(({ id }) => id)
  const [calls, steering] = await Promise.all([
    loadEarlierCalls(db, path, contextTokens),
    loadSteering(db, replies),
  ])
  const work = new Map(calls)
  for (const [id, text] of steering) {
    const added: ModelMessage = { role: 'user', content: [{ type: 'text', text }] }
    work.set(id, [...(calls.get(id) ?? []), added])
  }
  return work
}
