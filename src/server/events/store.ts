import type { Kysely } from 'kysely'
import type { RunEvent } from '#shared/runs/events.ts'
import type { Tables } from '../db/tables.ts'

export type StoredEvent = { id: number; event: RunEvent; runId: string }

/** Rows of 100 ms that are read at once. */
const PAGE_ROWS = 500

/** What a run has sent with ids above `after`, in order, a page at a time: a run may speak for an hour. */
export async function* readEvents(
  db: Kysely<Tables>,
  { runId, after }: { runId: string; after: number },
): AsyncGenerator<StoredEvent[], void> {
  let from = 0
  for (;;) {
    const rows = await db
      .selectFrom('run_events')
      .select(['first_id', 'events'])
      .where('run_id', '=', runId)
      .where('first_id', '>', from)
      .where('last_id', '>', after)
      .orderBy('first_id')
      .limit(PAGE_ROWS)
      .execute()
    const sent = rows.flatMap(({ events }) => events as [number, string, object][])
    yield sent
      .filter(([id]) => id > after)
      .map(([id, event, fields]) => ({ id, runId, event: { ...fields, event } as RunEvent }))
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    from = last.first_id
  }
}
