const columns = [
  ...['id', 'reading_id', 'document_id', 'user_id', 'company_id', 'shared_access'],
  ...['chunk_type', 'file_name', 'file_type', 'language', 'page', 'position', 'created_at', 'title'],
] as const
type Column = (typeof columns)[number] | (string & {})

/** Selects rows before the search. Values are data and never parsed as SQL. */
export type Filter =
  | { column: Column; equals: string | number }
  | { column: Column; in: readonly string[] }
  /** Matches rows whose list contains the value. */
  | { column: Column; has: string }
  | { column: Column; after: string | number }
  | { and: readonly Filter[] }
  | { or: readonly Filter[] }
  | { not: Filter }

/** Returns whether a filter may name this column. */
export const isFilterable = (column: string): boolean => (columns as readonly string[]).includes(column)

export const nothing: Filter = { or: [] }

/** Returns a filter as SQL for the engine. */
export function toSql(filter: Filter): string {
  if ('and' in filter) return joined(filter.and, ' AND ', 'TRUE')
  if ('or' in filter) return joined(filter.or, ' OR ', 'FALSE')
  if ('not' in filter) return `(NOT ${toSql(filter.not)})`
  if (!isFilterable(filter.column)) throw new Error(`no such column: ${filter.column}`)
  if ('equals' in filter) return `(${filter.column} = ${literal(filter.equals)})`
  if ('after' in filter) return `(${filter.column} > ${literal(filter.after)})`
  if ('has' in filter) return `array_contains(${filter.column}, ${literal(filter.has)})`
  if (filter.in.length === 0) return 'FALSE'
  return `(${filter.column} IN (${filter.in.map(literal).join(',')}))`
}

function joined(filters: readonly Filter[], word: string, none: string): string {
  return filters.length === 0 ? none : `(${filters.map(toSql).join(word)})`
}

function literal(value: string | number): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (!Number.isFinite(value)) throw new Error('a number is expected')
  return String(value)
}
