import { cleanLabel } from '#shared/platform/labels.ts'

const MAX_NAME = 120

/** Returns a title as a name of a file or folder: one line without `/`, at most 120 characters. An extension stays. */
export function nameOf(title: string | null | undefined): string {
  const whole = title ?? ''
  const extension = /\.[a-z0-9]{1,8}$/i.exec(whole.slice(-9))?.[0] ?? ''
  const base = whole.slice(0, whole.length - extension.length).slice(0, 4 * MAX_NAME)
  const clean = cleanLabel(base).replaceAll('/', '-').replace(/\s+/g, ' ').trim()
  return (clean.slice(0, MAX_NAME - extension.length).toWellFormed() || 'Untitled') + extension
}

/** Returns the name of a folder with its key, because names of spaces and projects may be equal. */
export const namedWithKey = (name: string, key: string): string => `${nameOf(name)} (${nameOf(key)})`

/** First and last times of a source that are stored. PostgreSQL has no year 0, and few programs read years of five digits. */
const [MIN_TIME, MAX_TIME] = [Date.UTC(1000, 0, 1), Date.UTC(9999, 11, 31)]

/** Returns a date of the years 1000 to 9999; undefined for none, an invalid one or another year. */
export function dateOf(given: string | number | Date | null | undefined): Date | undefined {
  const date = given === null || given === undefined ? null : new Date(given)
  return date && date.getTime() >= MIN_TIME && date.getTime() <= MAX_TIME ? date : undefined
}
