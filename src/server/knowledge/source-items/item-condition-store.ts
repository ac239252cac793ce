import { type RawBuilder, sql } from 'kysely'
import type { SourceFilter } from '#shared/knowledge/connectors/source-filter.ts'
import { trimSlashes } from '#shared/platform/trim-slashes.ts'

/** Condition on documents `d`: their item in a source fits all parts of the filter. Null for a filter without parts. */
export function ofSource(filter: SourceFilter): RawBuilder<unknown> | null {
  const { connector_id, source_owner, source_path, source_label } = filter
  const { changed_from, changed_to, created_from, created_to } = filter
  const parts: RawBuilder<unknown>[] = []
  if (connector_id) parts.push(sql`item.connector_id = ${connector_id}`)
  if (source_owner) parts.push(sql`strpos(lower(item.owner), lower(${source_owner})) > 0`)
  if (source_path) {
    const path = trimSlashes(source_path)
    parts.push(
      sql`(lower(item.path) = lower(${path}) or starts_with(lower(item.path), lower(${`${path}/`})))`,
    )
  }
  if (source_label)
    parts.push(
      sql`exists (select from unnest(item.labels) label where lower(label) = lower(${source_label}))`,
    )
  parts.push(...between(sql`item.changed_there`, changed_from, changed_to))
  parts.push(...between(sql`item.created_there`, created_from, created_to))
  if (parts.length === 0) return null
  return sql`d.connector_item_id in (select item.id from connector_items item where ${sql.join(parts, sql` and `)})`
}

/** A day given as the end is included. */
function between(time: RawBuilder<unknown>, from: string | undefined, to: string | undefined) {
  return [
    ...(from ? [sql`${time} >= ${startOf(from)}::timestamptz`] : []),
    ...(to && isDay(to) ? [sql`${time} < ${startOf(to)}::timestamptz + interval '1 day'`] : []),
    ...(to && !isDay(to) ? [sql`${time} <= ${to}::timestamptz`] : []),
  ]
}

const isDay = (time: string) => time.length === 10
const startOf = (time: string) => (isDay(time) ? `${time}T00:00:00Z` : time)
