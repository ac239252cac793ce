import type { LeftOut, NamedDocuments } from '#shared/knowledge/documents/named-documents.ts'
import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import { languageOf } from '#shared/platform/citations/text-language.ts'
import type { Language } from '#shared/platform/primitives.ts'

const texts = {
  en: {
    absent: 'The documents do not contain an answer to this.',
    searched: (names: string, more: number) =>
      `Searched: ${names}${more > 0 ? ` and ${more} ${more === 1 ? 'other' : 'others'}` : ''}.`,
    nothing: 'There are no documents that have been read to search in.',
    looked: (count: number, question: string) =>
      `Searched ${count === 1 ? '1 document' : `${count} documents`} for “${question}”`,
    whole: (names: string, more: number) => `Read in full: ${names}${more > 0 ? ` and ${more} more` : ''}`,
    reading: (names: string, more: number) =>
      `Still being read: ${names}${more > 0 ? ` and ${more} more` : ''}`,
    failed: (names: string, more: number) =>
      `Could not be read: ${names}${more > 0 ? ` and ${more} more` : ''}`,
  },
  fr: {
    absent: 'Les documents ne contiennent pas de réponse à cette question.',
    searched: (names: string, more: number) =>
      `Recherche effectuée dans : ${names}${more > 0 ? ` et ${more} ${more === 1 ? 'autre' : 'autres'}` : ''}.`,
    nothing: 'Aucun document lu n’est disponible pour la recherche.',
    looked: (count: number, question: string) =>
      `Recherche de « ${question} » dans ${count === 1 ? '1 document' : `${count} documents`}`,
    whole: (names: string, more: number) =>
      `${more > 0 || names.includes(', ') ? 'Documents lus' : 'Document lu'} en entier : ${names}${more > 0 ? ` et ${more} ${more === 1 ? 'autre' : 'autres'}` : ''}`,
    reading: (names: string, more: number) =>
      `Lecture en cours : ${names}${more > 0 ? ` et ${more} ${more === 1 ? 'autre' : 'autres'}` : ''}`,
    failed: (names: string, more: number) =>
      `Lecture impossible : ${names}${more > 0 ? ` et ${more} ${more === 1 ? 'autre' : 'autres'}` : ''}`,
  },
} as const

/** The searched documents and the first of their names, and those that could not be searched; old journals have no `LeftOut`. */
export type Looked = { documents: number; names: readonly string[] } & Partial<LeftOut>

const QUOTES = { en: ['“', '”'], fr: ['« ', ' »'] } as const

/** Says that the documents have no answer, which were searched, and which could not be. */
export function sayAbsent(language: Language, looked: Looked): string {
  const { absent, searched, nothing } = texts[language]
  const [open, close] = QUOTES[language]
  const quote = (name: string) => `${open}${name.replace(/[*_`[\]<>]/g, ' ')}${close}`
  const { documents, names } = looked
  const found =
    documents === 0 ? nothing : `${absent} ${searched(names.map(quote).join(', '), documents - names.length)}`
  return [found, ...sayLeftOut(language, looked, quote).map((sentence) => `${sentence}.`)].join(' ')
}

/** Returns whether a reply is the sentence that says that the documents have no answer. */
export const isAbsent = (reply: string) =>
  Object.values(texts).some(({ absent }) => reply.trimStart().startsWith(absent))

/** Returns the language in which a missing answer is reported: the user's, or the question's when the built-in model answers. */
export function languageOfAnswer(model: string, question: string, language: Language): Language {
  const found = model === BUILT_IN_MODEL ? languageOf(question) : null
  return found === 'en' || found === 'fr' ? found : language
}

const QUESTION_MOST = 200

/** Says in one line how the passages were found, and which documents were left out. */
export function sayWay(
  language: Language,
  { way, question, ...looked }: Looked & { way: 'whole' | 'search'; question: string },
): string {
  const { documents, names } = looked
  const { whole, looked: sayLooked } = texts[language]
  const line = question.replace(/\s+/g, ' ').trim()
  const short = line.length > QUESTION_MOST ? `${line.slice(0, QUESTION_MOST).toWellFormed()}…` : line
  const read =
    way === 'whole' ? whole(names.join(', '), documents - names.length) : sayLooked(documents, short)
  return [...(documents > 0 ? [read] : []), ...sayLeftOut(language, looked, (name) => name)].join(' · ')
}

function sayLeftOut(language: Language, looked: Looked, quote: (name: string) => string): string[] {
  const say = (kind: 'reading' | 'failed') => (found: NamedDocuments) =>
    texts[language][kind](found.names.map(quote).join(', '), found.documents - found.names.length)
  const { reading, failed } = looked
  return [
    ...(reading?.documents ? [say('reading')(reading)] : []),
    ...(failed?.documents ? [say('failed')(failed)] : []),
  ]
}
