import type { Language } from '#shared/platform/primitives.ts'
import type { Note } from '../chat/chat-document.ts'

/** Splits a note into its linked title and the remaining text. */
export function describeNote(
  { title, place, quote }: Note,
  language: Language,
): { lead: string; rest: string } {
  const [open, close, colon] = language === 'fr' ? ['«\u00a0', '\u00a0»', '\u00a0: '] : ['“', '”', ': ']
  const where = place === '' ? '' : `, ${place}`
  return { lead: title, rest: quote === null ? where : `${where}${colon}${open}${quote}${close}` }
}
