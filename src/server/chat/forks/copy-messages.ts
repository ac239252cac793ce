import type { Transaction } from 'kysely'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { insertMessages, loadRows } from './store.ts'

/** Messages copied per statement. */
const MESSAGES_PER_INSERT = 200

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

type Row = Awaited<ReturnType<typeof loadRows>>[number]

type Copied = { sessionId: string; path: string[]; foreign: ReadonlySet<string> }

/** Copies messages into a chat, with new ids for what they name. Those in `foreign` stay text of others. */
export async function copyMessages(
  trx: Transaction<Tables>,
  { sessionId, path, foreign }: Copied,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  for (let at = 0; at < path.length; at += MESSAGES_PER_INSERT) {
    const rows = await loadRows(trx, path.slice(at, at + MESSAGES_PER_INSERT))
    await insertMessages(
      trx,
      rows.map((row) => ({ ...copyOf(row, sessionId, ids), is_by_others: foreign.has(row.id) })),
    )
  }
}

/** The positions a run can return to stay with the original, because its journal does. */
function copyOf({ bytes: _, ...row }: Row, session_id: string, ids: ReadonlyMap<string, string>) {
  const renamed = (text: string) => text.replace(ID, (id) => ids.get(id) ?? id)
  const blocks = row.blocks.filter((block) => (block as { type?: string }).type !== 'checkpoint')
  return {
    ...{ ...row, session_id, client_id: null },
    ...{ id: renamed(row.id), parent_id: row.parent_id && renamed(row.parent_id) },
    content: renamed(row.content),
    blocks: renamed(toJson(blocks)),
    metadata: renamed(toJson(row.metadata)),
  }
}
