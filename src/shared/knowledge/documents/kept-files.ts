/** Of what kind a value is: number, text, true or false, date, error. */
export type CellKind = 'n' | 's' | 'b' | 'd' | 'e'

/** `sheets.json`: what is known of the sheets of a file; their rows stand in blocks of their own. */
export type SheetList = { sheets: SheetEntry[] }
export type SheetEntry = {
  name: string
  hidden: boolean
  /** Up to the last that has a cell. */
  rows: number
  columns: number
  /** In characters, by column; null is as usual. */
  widths: (number | null)[]
  /** Rows and columns that stay on screen, from the first. */
  frozen: { rows: number; columns: number }
  /** Ranges of cells that are one, as `A1:C1`. */
  merges: string[]
  /** How many blocks of rows there are. */
  blocks: number
  /** Those with a cell in them, in order, when others have none and are not kept. */
  filled_blocks?: number[]
  /** `en`: numbers and dates are written as in English, and may be shown as the reader writes them; else as in the file. */
  notation: 'en' | 'own'
}

/** Rows of a block; `sheet-0-rows-3.json` has rows 1,500 to 1,999 of the first sheet. */
export const BLOCK_ROWS = 500
export const blockName = (sheet: number, block: number) => `sheet-${sheet}-rows-${block}.json`

/** Whether a block of rows was kept; one without cells is not. */
export const hasBlock = ({ blocks, filled_blocks }: SheetEntry, block: number) =>
  block < blocks && (filled_blocks === undefined || filled_blocks.includes(block))

/** A row without cells is empty. */
export type SheetBlock = { first: number; rows: BlockCell[][] }
/** Column from 0, text as it is shown, kind, and the formula without its equals sign. */
export type BlockCell = { c: number; v: string; t: CellKind; f?: string }

/** `mail.json`: a mail as it was sent. */
export type KeptMail = {
  from: string
  to: string
  cc: string
  /** ISO 8601, or empty. */
  date: string
  subject: string
  /** Cleaned: nothing in it runs or loads. Not there when the mail is plain text. */
  html?: string
  text: string
  /** Names, in the order of the mail; each is a document below this one. */
  attachments: string[]
  /** Pictures that stand elsewhere and are not loaded. */
  remote_pictures: number
}
