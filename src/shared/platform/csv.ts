import type { Language } from './primitives.ts'

/** Separators that spreadsheets of a language expect in CSV files. */
export type CsvStyle = { separator: ',' | ';'; decimal: '.' | ',' }

export const csvStyles: Record<Language, CsvStyle> = {
  en: { separator: ',', decimal: '.' },
  fr: { separator: ';', decimal: ',' },
}

/** Byte order mark, which makes spreadsheets read the file as UTF-8. */
export const CSV_START = '\uFEFF'

/** Text that a spreadsheet may run as a formula (OWASP, "CSV Injection"), including full-width characters. */
const formula = /^\s*[=+\-@＝＋－＠\t\r]/u
/** A number with a sign and a unit, which is not a formula. */
const plainNumber = /^[+-]?\d[\d\s.,']*[%€$£]?$/u

/** Returns one line of a CSV file (RFC 4180). An apostrophe stops spreadsheets from running text as a formula. */
export function csvRow(fields: readonly (string | number | null)[], style: CsvStyle): string {
  return `${fields.map((field) => csvField(field, style)).join(style.separator)}\r\n`
}

function csvField(field: string | number | null, { decimal }: CsvStyle): string {
  if (field === null) return ''
  const text = typeof field === 'number' ? String(field).replace('.', decimal) : harmless(field)
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns true when a spreadsheet would run the text of a cell as a formula. */
export function isFormula(text: string): boolean {
  return formula.test(text) && !plainNumber.test(text)
}

const harmless = (text: string) => (isFormula(text) ? `'${text}` : text)
