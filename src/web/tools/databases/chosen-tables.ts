import type { DatabaseColumn, DatabaseTable, FoundTable } from '#shared/tools/databases/databases.ts'

/** The chosen tables by schema and name. */
export type Chosen = ReadonlyMap<string, DatabaseTable>

export const keyOf = ({ schema, name }: { schema: string; name: string }) => `${schema}\n${name}`

export const chosenFrom = (tables: readonly DatabaseTable[]): Chosen =>
  new Map(tables.map((table) => [keyOf(table), table]))

/** Chooses a table with all its columns, or removes it. */
export function toggleTable(chosen: Chosen, found: FoundTable): Chosen {
  const next = new Map(chosen)
  if (!next.delete(keyOf(found))) {
    const { schema, name, comment } = found
    next.set(keyOf(found), { schema, name, comment, columns: found.columns.map(columnOf) })
  }
  return next
}

/** Chooses a column in the order of the table, or removes it. A table without columns is not chosen. */
export function toggleColumn(chosen: Chosen, found: FoundTable, name: string): Chosen {
  const known = chosen.get(keyOf(found))
  const isOn = known?.columns.some((column) => column.name === name) ?? false
  const columns = found.columns.flatMap((column) => {
    if (column.name === name) return isOn ? [] : [columnOf(column)]
    return known?.columns.find((one) => one.name === column.name) ?? []
  })
  const next = new Map(chosen)
  if (columns.length === 0) next.delete(keyOf(found))
  else
    next.set(keyOf(found), {
      schema: found.schema,
      name: found.name,
      comment: known?.comment ?? found.comment,
      columns,
    })
  return next
}

/** Changes the texts about a table for models. */
export function describe(chosen: Chosen, table: DatabaseTable, part: Partial<DatabaseTable>): Chosen {
  return new Map(chosen).set(keyOf(table), { ...table, ...part })
}

export function describeColumn(
  chosen: Chosen,
  table: DatabaseTable,
  name: string,
  part: Partial<DatabaseColumn>,
): Chosen {
  const columns = table.columns.map((column) => (column.name === name ? { ...column, ...part } : column))
  return describe(chosen, table, { columns })
}

/** Sample values separated by semicolons. */
export const readSamples = (text: string) =>
  text
    .split(';')
    .map((one) => one.trim().slice(0, 200))
    .filter((one) => one !== '')
    .slice(0, 5)

const columnOf = ({ name, type, comment }: FoundTable['columns'][number]): DatabaseColumn => ({
  name,
  type,
  comment,
  samples: [],
})
