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

/** Returns a date, or undefined for none or an invalid one. */
export function dateOf(text: string | number | null | undefined): Date | undefined {
  const date = text === null || text === undefined ? null : new Date(text)
  return date && !Number.isNaN(date.getTime()) ? date : undefined
}
