import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

/**
 * Pins the version of each own tool an assistant uses: the current pin, else the newest. MCP tools have no pin, because
 * earlier versions cannot be called.
 */
export async function noteToolVersions(
  trx: Kysely<Tables>,
  assistantId: string,
  { newest }: { newest: boolean },
): Promise<Record<string, number>> {
  const { rows } = await sql<{ tool_versions: Record<string, number> }>`
    update assistants a set tool_versions = coalesce((
      select jsonb_object_agg(t.id, case
        when ${newest} or not jsonb_exists(a.tool_versions, t.id) then to_jsonb(t.version)
        else a.tool_versions -> t.id end)
      from own_tools t join own_tool_sets s on s.id = t.set_id
      where s.kind = 'api' and jsonb_exists(a.tools, t.id)), '{}')
    where a.id = ${assistantId}
    returning a.tool_versions`.execute(trx)
  return rows[0]?.tool_versions ?? {}
}
