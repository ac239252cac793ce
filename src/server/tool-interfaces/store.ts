import type { RemoteUi } from '#shared/tool-interfaces/tool-interfaces.ts'
import { type Database, toJson } from '../db/db.ts'

/** Gives an own tool an interface; its hash counts as approved from now on. */
export async function writeInterface(db: Database, toolId: string, ui: RemoteUi, now: Date): Promise<void> {
  const row = { ui: toJson(ui), approved_at: now }
  await db
    .insertInto('own_tool_interfaces')
    .values({ tool_id: toolId, ...row })
    .onConflict((conflict) => conflict.column('tool_id').doUpdateSet(row))
    .execute()
}

export async function removeInterface(db: Database, toolId: string): Promise<void> {
  await db.deleteFrom('own_tool_interfaces').where('tool_id', '=', toolId).execute()
}
