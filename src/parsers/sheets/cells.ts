import type { CellKind } from '#shared/knowledge/documents/kept-files.ts'
import type { Area } from '#shared/knowledge/documents/ranges.ts'

/** A cell as it is shown. `formula` without its equals sign. */
export type SheetCell = { column: number; text: string; kind: CellKind; formula?: string }
export type SheetFacts = {
  name: string
  isHidden?: boolean
  /** In characters, by column; undefined is as usual. */
  widths?: (number | undefined)[]
  frozen?: { rows: number; columns: number }
  merges?: Area[]
  /** Numbers and dates are written as in English whoever wrote the file. */
  isEnglish?: boolean
}
