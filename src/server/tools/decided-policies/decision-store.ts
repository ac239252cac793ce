import { type Kysely, sql } from 'kysely'
import type { ToolPolicy } from '#shared/tools/tools/policy.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type DecidedPolicy = { policy: ToolPolicy; source: 'user' | 'assistant'; version: number | null }

/**
 * Returns the decisions for tools by id: the assistant's, then the person's own, which takes precedence. Only an assistant of
 * their own, or one that an administrator shared, lets tools run without asking.
 */
export async function findPolicies(
  db: Kysely<Tables>,
  userId: string,
  assistantId: string | null,
): Promise<Map<string, DecidedPolicy[]>> {
  const rows = await db
    .selectFrom('tool_policies')
    .select(['tool_id', 'policy', 'user_id', 'tool_version as version'])
    .where((row) =>
      row.or([row('user_id', '=', userId), ...(assistantId ? [decidedBy(assistantId, userId)] : [])]),
    )
    .orderBy('user_id', (order) => order.asc().nullsFirst())
    .orderBy('tool_id')
    .execute()
  const decided = rows.map(({ tool_id, policy, user_id, version }) => {
    return { tool_id, policy, version, source: user_id === null ? ('assistant' as const) : ('user' as const) }
  })
  return Map.groupBy(decided, ({ tool_id }) => tool_id)
}

const decidedBy = (assistantId: string, userId: string) => sql<boolean>`(assistant_id = ${assistantId}
  and (policy <> 'auto' or exists (select from assistants a where a.id = ${assistantId} and (a.user_id = ${userId} or exists (
    select from assistant_shares share left join groups named on named.id = share.group_id
    join company_members author on author.user_id = coalesce(share.shared_by, a.user_id)
    where share.assistant_id = a.id and (author.role = 'super_admin' or (author.role <> 'member'
      and author.company_id = coalesce(share.company_id, share.within, named.company_id)
      and exists (select from company_members m where m.company_id = author.company_id and m.user_id = ${userId}))))))))`
