import type { Kysely } from 'kysely'
import type { ToolPolicy } from '#shared/tools/tools/policy.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type DecidedPolicy = { policy: ToolPolicy; source: 'user' | 'assistant'; version: number | null }

/** Returns the decisions for tools by id. A person's own decision takes precedence over the assistant's. */
export async function findPolicies(
  db: Kysely<Tables>,
  userId: string,
  assistantId: string | null,
): Promise<Map<string, DecidedPolicy>> {
  const rows = await db
    .selectFrom('tool_policies')
    .select(['tool_id', 'policy', 'user_id', 'tool_version as version'])
    .where((row) =>
      row.or([row('user_id', '=', userId), ...(assistantId ? [row('assistant_id', '=', assistantId)] : [])]),
    )
    .orderBy('user_id', (order) => order.asc().nullsFirst())
    .orderBy('tool_id')
    .execute()
  return new Map(
    rows.map(({ tool_id, policy, user_id, version }) => {
      return [tool_id, { policy, source: user_id === null ? 'assistant' : 'user', version }]
    }),
  )
}

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
