import type { Language } from '#shared/platform/primitives.ts'

/** Sorts the lines of a text, or the entries of one line, alphabetically. */
export function sortLines(text: string, language: Language, isDescending: boolean): string[] {
  const lines = text.includes('\n') ? text.split('\n') : text.split(text.includes(';') ? ';' : ',')
  const entries = lines.map((line) => line.trim().replace(/^[-*•]\s/, '')).filter(Boolean)
  const { compare } = new Intl.Collator(language, { numeric: true })
  return entries.sort((a, b) => (isDescending ? compare(b, a) : compare(a, b)))
}
