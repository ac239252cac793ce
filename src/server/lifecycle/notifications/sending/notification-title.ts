import type { Language } from '#shared/platform/primitives.ts'
import type { Quotable } from '../notification-store.ts'
import { notificationTexts } from '../texts.ts'

/** Maximum characters quoted of a question or a reply. */
const MAX_QUOTE = 300

/** Returns what happened, with the name of its place. */
export function titleOf({ kind, name, by, budget, text }: Quotable, language: Language): string {
  if (kind === 'announcement' && text) return text
  const { title, unnamed, somebody, subject } = notificationTexts(language)
  const subjects: Record<string, string> = subject
  return fill(title[kind], { name: name ?? subjects[budget?.kind ?? ''] ?? unnamed, by: by ?? somebody })
}

/** Fills in values in one pass, so that a name with braces stays as it is. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (found, key: string) => values[key] ?? found)
}

/** Shortens a question or a reply to what a notification quotes. */
export function cut(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > MAX_QUOTE
    ? `${characters.slice(0, MAX_QUOTE - 1).join('')}…`
    : characters.join('')
}
