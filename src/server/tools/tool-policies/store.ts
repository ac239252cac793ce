import type { Kysely } from 'kysely'
import type { ToolPolicy } from '#shared/tools/tools/policy.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Stores a decision of a person, or for an assistant. */
export async function storePolicy(
  db: Kysely<Tables>,
  whose: { user_id: string; assistant_id: null } | { user_id: null; assistant_id: string },
  { toolId, version }: { toolId: string; version: number | null },
  policy: ToolPolicy,
): Promise<void> {
  const updated_at = new Date()
  const owner = whose.user_id === null ? ('assistant_id' as const) : ('user_id' as const)
  await db
    .insertInto('tool_policies')
    .values({ ...whose, tool_id: toolId, policy, tool_version: version, updated_at })
    .onConflict((conflict) =>
      conflict
        .columns([owner, 'tool_id'])
        .where(owner, 'is not', null)
        .doUpdateSet({ policy, tool_version: version, updated_at }),
    )
    .execute()
}
