import type { Selection } from '#shared/knowledge/connectors/sources.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import type { OpenedSource } from './define-connector.ts'

const MAX_COUNTED = 200_000
const COUNT_MS = 15_000

/** Counts the items that a selection would read. It stops after 15 seconds or 200,000 items. */
export async function countItems(
  { config }: Pick<RunDeps, 'config'>,
  source: OpenedSource,
  selection: Selection,
): Promise<{ items: number; bytes: number; too_large: number; is_complete: boolean }> {
  const end = Date.now() + COUNT_MS
  const counts = { items: 0, bytes: 0, too_large: 0 }
  let cursor: string | null = null
  do {
    const page = await firstPage(source, selection, cursor)
    for (const { size } of page.items) {
      if (size !== null && size > config.ATRIUM_MAX_UPLOAD_MB * MEGABYTE) counts.too_large += 1
      else {
        counts.items += 1
        counts.bytes += size ?? 0
      }
    }
    cursor = page.cursor
  } while (cursor !== null && Date.now() < end && counts.items < MAX_COUNTED)
  return { ...counts, is_complete: cursor === null }
}

/** Returns the first page after a cursor. */
export async function firstPage(source: OpenedSource, selection: Selection, cursor: string | null) {
  for await (const page of source.list(selection, cursor)) return page
  return { items: [], cursor: null }
}
