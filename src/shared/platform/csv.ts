import type { Language } from './primitives.ts'

/** How a spreadsheet of a language expects its text files. */
export type CsvStyle = { separator: ',' | ';'; decimal: '.' | ',' }

export const csvStyles: Record<Language, CsvStyle> = {
  en: { separator: ',', decimal: '.' },
  fr: { separator: ';', decimal: ',' },
}

/** What a file begins with, so that a spreadsheet reads it as UTF-8. */
export const CSV_START = '\uFEFF'

/** What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"); full-width signs included. */
const formula = /^\s*[=+\-@＝＋－＠\t\r]/u
/** A number with its sign and unit is no formula, however it begins. */
const plainNumber = /^[+-]?\d[\d\s.,']*[%€$£]?$/u

/** One line of a CSV file (RFC 4180). A text that a spreadsheet would run is kept from it by an apostrophe. */
export function csvRow(fields: readonly (string | number | null)[], style: CsvStyle): string {
  return `${fields.map((field) => csvField(field, style)).join(style.separator)}\r\n`
}

function csvField(field: string | number | null, { decimal }: CsvStyle): string {
  if (field === null) return ''
  const text = typeof field === 'number' ? String(field).replace('.', decimal) : harmless(field)
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Whether a spreadsheet would run a text that stands in a cell. */
export function isFormula(text: string): boolean {
  return formula.test(text) && !plainNumber.test(text)
}

const harmless = (text: string) => (isFormula(text) ? `'${text}` : text)
