import type { Kysely } from 'kysely'
import type { ModuleUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Where the file of an interface stands, and its bytes. */
export type KeptFile = { key: string; size: number }

/** Gives an own tool an interface, with its file where it was uploaded; its hash counts as approved from now on. */
export async function writeInterface(
  db: Kysely<Tables>,
  toolId: string,
  { ui, file, now }: { ui: ModuleUi; file: KeptFile | null; now: Date },
): Promise<void> {
  const kept = { file_key: file?.key ?? null, file_size: file?.size ?? null }
  const row = { ui: toJson(ui), approved_at: now, ...kept }
  await db
    .insertInto('own_tool_interfaces')
    .values({ tool_id: toolId, ...row })
    .onConflict((conflict) => conflict.column('tool_id').doUpdateSet(row))
    .execute()
}

/** Null for a tool whose interface was not uploaded. */
export async function findFileKey(db: Kysely<Tables>, toolId: string): Promise<string | null> {
  const row = await db
    .selectFrom('own_tool_interfaces')
    .select('file_key')
    .where('tool_id', '=', toolId)
    .executeTakeFirst()
  return row?.file_key ?? null
}

export async function removeInterface(db: Kysely<Tables>, toolId: string): Promise<void> {
  await db.deleteFrom('own_tool_interfaces').where('tool_id', '=', toolId).execute()
}
