import type { ModelMessage } from '../../../models/models/port.ts'
import type { Database } from '../../../platform/db/db.ts'
import { describeCalls, type EarlierCalls } from './earlier-calls.ts'
import { loadEarlierWork } from './earlier-work.ts'
import { loadPath, loadTexts, type PathMessage } from './store.ts'
import { cutIntoPieces, pieceSize, summaryMessages } from './summarise.ts'

/** Maximum bytes of earlier text to summarise. The summary mentions when older text is missing. */
const SUMMARISED = 4_000_000

/** Returns one line per message and call of a part of a path, oldest first. */
export async function describePath(
  db: Database,
  told: readonly PathMessage[],
  calls: EarlierCalls,
): Promise<string[]> {
  const ids = endOf(told, SUMMARISED)
  const texts = await loadTexts(db, ids)
  const omitted = told.length - ids.length
  const first = omitted === 0 ? [] : [`(${omitted} earlier messages are too long to be told here.)`]
  const lines = told
    .slice(omitted)
    .flatMap(({ id, role }) => [
      ...describeCalls(calls.get(id)),
      `${role === 'user' ? 'Person' : 'Assistant'}: ${texts.get(id) ?? ''}`,
    ])
  return [...first, ...lines]
}

/** Returns the ids of the last messages up to a total size, at least one. */
export function endOf(path: readonly PathMessage[], bytes: number): string[] {
  let from = path.length - 1
  let left = bytes - (path[from]?.bytes ?? 0)
  while (from > 0 && (path[from - 1]?.bytes ?? 0) <= left) {
    from -= 1
    left -= path[from]?.bytes ?? 0
  }
  return path.slice(Math.max(0, from)).map(({ id }) => id)
}

/**
 * Summarises a chat up to a message with calls of `ask`, piece by piece. An earlier summary is continued. Returns null when the last
 * message has a summary already.
 */
export async function summariseChat(
  db: Database,
  { leafId, contextTokens }: { leafId: string; contextTokens: number },
  ask: (messages: ModelMessage[]) => Promise<string>,
): Promise<string | null> {
  const path = await loadPath(db, leafId)
  const known = path.findLastIndex(({ summary }) => summary !== null)
  if (known === path.length - 1) return null
  const calls = await loadEarlierWork(db, path, contextTokens)
  const lines = await describePath(db, path.slice(known + 1), calls)
  let summary = path[known]?.summary ?? null
  for (const piece of cutIntoPieces(lines, pieceSize(contextTokens)))
    summary = await ask(summaryMessages(summary, piece))
  return summary ?? ''
}
