import type { Kysely } from 'kysely'
import type { ModuleUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Storage key and size of an interface's file. */
export type KeptFile = { key: string; size: number }

/** Gives an own tool an interface, with its file if it was uploaded. Its hash counts as approved. */
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

/** Returns null for a tool whose interface was not uploaded. */
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
