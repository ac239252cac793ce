import type { InputField } from '../runs/request.ts'

/** The kind of fault in a typed value. */
export type ValueFault = 'choice' | 'number' | 'date'

/** Returns the fault of a typed value, or null when the field accepts it. An empty value has none. */
export function findFault(
  { type, options }: Pick<InputField, 'type' | 'options'>,
  text: string,
): ValueFault | null {
  const value = text.trim()
  if (value === '') return null
  if (type === 'choice') return options?.includes(value) ? null : 'choice'
  if (type === 'number') return readNumber(value) === null ? 'number' : null
  if (type === 'date') return isDate(value) ? null : 'date'
  return null
}

/** Parses a number with a decimal point or comma and with spaces between its groups. Returns null for anything else. */
export function readNumber(text: string): number | null {
  const digits = text.replace(/\s/g, '')
  if (!/^[+-]?\d{1,200}(?:[.,]\d{1,200})?$/.test(digits)) return null
  const number = Number(digits.replace(',', '.'))
  return Number.isFinite(number) ? number : null
}

/** Returns whether a text is a day of the calendar, as year-month-day. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
