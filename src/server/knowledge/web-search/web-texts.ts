import type { Language } from '#shared/platform/primitives.ts'

const NAMED = 5

const texts = {
  en: {
    nothing: 'No page of the web was found for this.',
    absent: 'The pages that were read do not contain an answer to this.',
    read: (hosts: string) => `Read: ${hosts}.`,
  },
  fr: {
    nothing: 'Aucune page du web n’a été trouvée à ce sujet.',
    absent: 'Les pages lues ne contiennent pas de réponse à cette question.',
    read: (hosts: string) => `Pages lues : ${hosts}.`,
  },
} as const

/** Says that the pages have no answer, and which sites were read. */
export function sayAbsent(language: Language, urls: readonly string[]): string {
  const { nothing, absent, read } = texts[language]
  const hosts = [...new Set(urls.map((url) => new URL(url).hostname.replace(/^www\./, '')))]
  return hosts.length === 0 ? nothing : `${absent} ${read(hosts.slice(0, NAMED).join(', '))}`
}
