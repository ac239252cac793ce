import type { Language } from '#shared/platform/primitives.ts'
import english from '../../../../locales/en/assistant_mails.json' with { type: 'json' }
import french from '../../../../locales/fr/assistant_mails.json' with { type: 'json' }

/** Returns the line above the text of a mail, which names its sender and its subject. */
export function introduceMail(
  { sender, subject }: { sender: string; subject: string },
  language: Language,
): string {
  const { from, from_about } = (language === 'fr' ? french : english).message
  const values: Record<string, string> = { sender, subject }
  return (subject === '' ? from : from_about).replace(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => values[name] ?? '',
  )
}
