import * as z from 'zod'

/** The first entry of an archive: what made it, and the schema its rows are of. */
export const headerName = 'atrium.json'
export const Header = z.object({
  format: z.literal(1),
  atrium: z.string(),
  created_at: z.string(),
  migrations: z.array(z.string()).min(1),
})
export type Header = z.infer<typeof Header>

/** The key that seals secrets; absent where there was none yet. */
export const keyName = 'secret.key'

export const RowsEntry = z.object({ columns: z.array(z.string()), rows: z.array(z.string()) })

/** The n-th part of a table's rows. */
export const tableEntry = (table: string, part: number) => `database/${table}.${part}.json`

/** The table a part belongs to, or the key of a file; null for what is neither. */
export function readName(name: string): { table: string } | { file: string } | null {
  const table = /^database\/(\w+)\.\d+\.json$/.exec(name)?.[1]
  if (table) return { table }
  return name.startsWith('files/') ? { file: name.slice('files/'.length) } : null
}
