import type { RunDeps } from '../../../runs/run-deps.ts'
import type { ConnectorRow } from '../connector-store.ts'
import { type ChangedPage, CursorExpired, type OpenedSource } from '../define-connector.ts'
import { noteGone, replaceMembers } from './item-store.ts'
import { endListing, holdSync, idOf, readMembers, SyncEnded, tryPage, writeItems } from './list-items.ts'
import { countListed, noteChanges, restartListing } from './sync-store.ts'

/**
 * Reads the changes that a source reports. Each page is committed with the token behind it. A token that the source no longer accepts
 * begins a complete listing. @throws SyncEnded then, and when its time is over
 */
export async function listChanges(
  deps: RunDeps,
  row: ConnectorRow,
  source: OpenedSource,
  isLate: () => boolean,
): Promise<void> {
  let { changes_token } = row
  for (;;) {
    const page = await nextChanges(deps, row, source, changes_token)
    const members = page.hasMore ? [] : await readMembers(deps, row, source, page.items)
    await deps.db.transaction().execute(async (trx) => {
      await holdSync(trx, row, null)
      if (!(await noteChanges(trx, row.id, { from: changes_token, to: page.token }))) throw new SyncEnded()
      await writeItems(deps, trx, row, page.items)
      await noteGone(trx, row, page.removed.map(idOf))
      if (page.hasMore) return
      await countListed(trx, row)
      await replaceMembers(trx, row.id, members, deps.clock.now())
      await endListing(trx, row, deps.clock.now())
    })
    if (!page.hasMore) return
    changes_token = page.token
    if (isLate()) throw new SyncEnded()
  }
}

async function nextChanges(
  { db }: RunDeps,
  row: ConnectorRow,
  source: OpenedSource,
  token: string | null,
): Promise<ChangedPage> {
  try {
    if (token === null || !source.changes) throw new CursorExpired()
    const read = source.changes
    return await tryPage(row.host, () => read(row.selection, token))
  } catch (error) {
    if (!(error instanceof CursorExpired)) throw error
    await db.transaction().execute(async (trx) => {
      await holdSync(trx, row, null)
      await restartListing(trx, row.id)
    })
    throw new SyncEnded()
  }
}
