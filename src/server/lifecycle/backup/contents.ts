import * as z from 'zod'
import { checkKey } from '../../platform/files/files.ts'

/** Name of the first entry: version and schema of the archive. */
export const headerName = 'atrium.json'
export const Header = z.object({
  format: z.literal(1),
  atrium: z.string(),
  created_at: z.string(),
  migrations: z.array(z.string()).min(1),
})
export type Header = z.infer<typeof Header>

/** Name of the encryption key's entry; absent when there was no key yet. */
export const keyName = 'secret.key'

const RowsEntry = z.object({ columns: z.array(z.string()), rows: z.array(z.string()) })
export type RowsEntry = z.infer<typeof RowsEntry>

/** Maximum size of header entries. Backups never write larger ones, and reading one would exhaust the memory. */
export const MAX_HEADER_BYTES = 1 << 20
export const MAX_KEY_BYTES = 4_096
export const MAX_ROWS_BYTES = 256 << 20
const MAX_STRINGS = 20_000

/** Returns the name of the n-th part of a table. */
export const tableEntry = (table: string, part: number) => `database/${table}.${part}.json`

/** Returns the table of a part, or the key of a file; null for a name that backups never write. */
export function readName(name: string): { table: string } | { file: string } | null {
  const table = /^database\/(\w+)\.\d+\.json$/.exec(name)?.[1]
  if (table) return { table }
  if (!name.startsWith('files/')) return null
  try {
    return { file: checkKey(name.slice('files/'.length)) }
  } catch {
    return null
  }
}

/** @throws Error when they are no rows */
export function readRows(bytes: Buffer): RowsEntry {
  refuseShape(bytes)
  const { data } = RowsEntry.safeParse(JSON.parse(bytes.toString()))
  if (!data) throw new Error('its rows have another form')
  return data
}

/** Rejects deeper nesting or more values than two lists of strings before parsing. */
function refuseShape(bytes: Buffer): void {
  let depth = 0
  let strings = 0
  let inString = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (inString) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) {
      inString = true
      strings += 1
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
    else if (byte !== undefined && byte > SPACE && byte !== COMMA && byte !== COLON)
      throw new Error('its rows have another form')
    if (depth > 2 || strings > MAX_STRINGS) throw new Error('its rows have another form')
  }
}

const [SPACE, QUOTE, COMMA, COLON] = [0x20, 0x22, 0x2c, 0x3a]
const [OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d]
