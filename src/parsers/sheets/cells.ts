import type { CellKind } from '#shared/knowledge/documents/kept-files.ts'
import type { Area } from '#shared/knowledge/documents/ranges.ts'

/** A cell as it is displayed. `formula` has no equals sign. */
export type SheetCell = { column: number; text: string; kind: CellKind; formula?: string }
export type SheetFacts = {
  name: string
  isHidden?: boolean
  /** In characters, by column; undefined for the default width. */
  widths?: (number | undefined)[]
  frozen?: { rows: number; columns: number }
  merges?: Area[]
  /** Numbers and dates are in English notation whatever the author's locale. */
  isEnglish?: boolean
}
