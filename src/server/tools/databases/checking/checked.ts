import { AppError } from '#shared/platform/errors.ts'
import type { DatabaseKind } from '#shared/tools/databases/databases.ts'

/** A table that a query may read, with its allowed columns. */
export type AllowedTable = { schema: string; name: string; columns: string[] }

export type ToCheck = {
  kind: DatabaseKind
  sql: string
  tables: AllowedTable[]
}

/** Maximum characters of a query, and maximum depth of its brackets. */
export const MAX_QUERY_CHARACTERS = 20_000
const MAX_DEPTH = 60

/** @throws AppError `invalid` with a sentence for the model and the person */
export function refuse(why: string): never {
  throw new AppError('invalid', `The query was refused before it reached the database: ${why}`)
}

/** Refuses texts that could exhaust a parser. */
export function assertParsable(sql: string): void {
  if (sql.length > MAX_QUERY_CHARACTERS) refuse(`it has more than ${MAX_QUERY_CHARACTERS} characters.`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check refuses control characters.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(sql) || !sql.isWellFormed())
    refuse('it contains control characters.')
  let depth = 0
  for (const letter of sql) {
    if ('([{'.includes(letter)) depth += 1
    if (')]}'.includes(letter)) depth -= 1
    if (depth > MAX_DEPTH) refuse('its brackets are nested too deeply.')
  }
}

/** Prefix of the names of common table expressions in the sent text, so that none can be mistaken for a table. */
const CTE_PREFIX = 'atrium_cte_'
export const cteName = (name: string) => `${CTE_PREFIX}${name}`

/** Finds allowed tables by the name in a query. */
export function createTables(tables: readonly AllowedTable[], isSame: (a: string, b: string) => boolean) {
  return {
    /** @throws AppError `invalid` for a table that is not allowed */
    find: (schema: string | null, name: string): AllowedTable => {
      const found = tables.filter(
        (table) => isSame(table.name, name) && (schema === null || isSame(table.schema, schema)),
      )
      if (found.length > 1) refuse(`“${name}” exists in several schemas. Name the schema.`)
      return found[0] ?? refuse(`the table “${schema === null ? '' : `${schema}.`}${name}” is not allowed.`)
    },
    columns: tables.flatMap(({ columns }) => columns),
  }
}

/** Collects the names that a query defines, and refuses columns that are neither allowed nor defined. */
export function createNames(columns: readonly string[]) {
  const known = new Set(columns.map((name) => name.toLowerCase()))
  const used = new Set<string>()
  return {
    define: (name: unknown) => typeof name === 'string' && known.add(name.toLowerCase()),
    use: (name: string) => used.add(name),
    assertKnown: () => {
      for (const name of used)
        if (!known.has(name.toLowerCase())) refuse(`the column “${name}” is not allowed or does not exist.`)
    },
  }
}
