import * as z from 'zod'
import { checkKey } from '../../platform/files/files.ts'

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

const RowsEntry = z.object({ columns: z.array(z.string()), rows: z.array(z.string()) })
export type RowsEntry = z.infer<typeof RowsEntry>

/** Larger entries of these kinds were never written by a backup; reading one would take the memory. */
export const MAX_HEADER_BYTES = 1 << 20
export const MAX_KEY_BYTES = 4_096
export const MAX_ROWS_BYTES = 256 << 20
const MAX_STRINGS = 20_000

/** The n-th part of a table's rows. */
export const tableEntry = (table: string, part: number) => `database/${table}.${part}.json`

/** The table a part belongs to, or the key of a file; null for a name that no backup writes. */
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

/** Rows are an object of two lists of strings: what nests deeper, or has more values, is not parsed at all. */
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
