/** Type of a cell's value: number, string, boolean, date or error. */
export type CellKind = 'n' | 's' | 'b' | 'd' | 'e'

/** `sheets.json`: the sheets of a file, without their rows, which are stored in blocks. */
export type SheetList = { sheets: SheetEntry[] }
export type SheetEntry = {
  name: string
  hidden: boolean
  /** Number of rows, up to the last one with a cell. */
  rows: number
  columns: number
  /** Column widths in characters; null for the default. */
  widths: (number | null)[]
  /** Frozen rows and columns, counted from the first. */
  frozen: { rows: number; columns: number }
  /** Merged ranges, such as `A1:C1`. */
  merges: string[]
  /** Number of row blocks. */
  blocks: number
  /** Indexes of blocks with cells, in order; absent when every block is stored. */
  filled_blocks?: number[]
  /** `en`: English notation of numbers and dates, which may be localised for display; `own`: as in the file. */
  notation: 'en' | 'own'
}

/** Rows per block; `sheet-0-rows-3.json` has rows 1,500 to 1,999 of the first sheet. */
export const BLOCK_ROWS = 500
export const blockName = (sheet: number, block: number) => `sheet-${sheet}-rows-${block}.json`

/** Returns true when a block of rows is stored; blocks without cells may be left out. */
export const hasBlock = ({ blocks, filled_blocks }: SheetEntry, block: number) =>
  block < blocks && (filled_blocks === undefined || filled_blocks.includes(block))

/** A block of rows. Rows without cells are empty lists. */
export type SheetBlock = { first: number; rows: BlockCell[][] }
/** Column from 0, displayed text, value type, and the formula without its equals sign. */
export type BlockCell = { c: number; v: string; t: CellKind; f?: string }

/** `mail.json`: a mail as it was sent. */
export type KeptMail = {
  from: string
  to: string
  cc: string
  /** ISO 8601, or empty. */
  date: string
  subject: string
  /** Sanitized: contains no scripts and loads nothing. Absent for a plain text mail. */
  html?: string
  text: string
  /** Names in the order of the mail; each attachment is a document with this one as its parent. */
  attachments: string[]
  /** Number of remote pictures, which are not loaded. */
  remote_pictures: number
}
