import type { Language } from '#shared/platform/primitives.ts'
import { say } from '../phrases.ts'
import { countText } from '../texts/count.ts'
import { findInText, type Kind } from '../texts/find.ts'
import { type Instructed, readInstruction } from '../texts/instruction.ts'
import { outline } from '../texts/outline.ts'
import { sortLines } from '../texts/sort.ts'
import { extractSummary } from '../texts/summary.ts'
import { isMarkdownTable, readTable, writeCsv, writeMarkdownTable } from '../texts/table.ts'
import { writeNumber } from '../words/numerals.ts'
import type { Answer, Question } from './skill.ts'

/**
 * A kind of work on a text. `asks` requests it with one word of each list, `alone` with the only word of an instruction; `do` does
 * the work.
 */
type Work = { asks: string[]; alone?: string; do: (given: Instructed, language: Language) => string | null }

const finding =
  'extract find list get show pick give what which extrais extraire extrayez trouve trouver trouvez liste lister listez donne relève quels quelles'
const convert =
  'convert turn make put transform format export as to into csv convertis convertir convertissez transforme transformez mets mettez fais faites crée exporte'

const works: Work[] = [
  { asks: ['summarise summarize summary résume résumer résumez résumé synthèse'], do: summarise },
  {
    asks: ['outline plan structure', 'this text texte document ce cet'],
    alone: 'outline',
    do: writeOutline,
  },
  {
    asks: [
      'count how number compte compter comptez combien nombre',
      'words word characters letters lines sentences mots mot caractères lettres lignes phrases signes',
    ],
    do: count,
  },
  {
    asks: [
      'sort alphabetise alphabetize order trie trier triez classe classer classez',
      'lines list alphabetically alphabetical these names words lignes liste alphabétique ces noms mots',
    ],
    alone: 'sort alphabetise alphabetize trie trier triez',
    do: sort,
  },
  { asks: [finding, 'email emails mail mails courriel courriels mél'], do: find('emails') },
  { asks: [finding, 'url urls link links lien liens'], do: find('links') },
  { asks: [finding, 'phone phones telephone téléphone téléphones'], do: find('phones') },
  { asks: [finding, 'dates'], do: find('dates') },
  { asks: [finding, 'amount amounts price prices sums montant montants prix sommes'], do: find('amounts') },
  { asks: [convert, 'csv table tableau markdown'], alone: 'csv table tableau', do: convertTable },
]

const has = (words: Set<string>, list: string) => list.split(' ').some((word) => words.has(word))
const workFor = (words: Set<string>) =>
  works.find(({ asks, alone = '' }) =>
    words.size === 1 && has(words, alone) ? true : asks.every((list) => has(words, list)),
  )
const pointing = 'this these text following ce cet cette ces texte suivant suivante'

/** Returns a request for work on a text, with the text. It must not be split where a sentence says “then”. */
export function readTextWork(text: string): Instructed | null {
  const given = readInstruction(text, (words) => workFor(words) !== undefined)
  // “How many words are there in English?” refers to no text.
  const isMeant = given && (given.body !== '' || given.words.size === 1 || has(given.words, pointing))
  return isMeant ? given : null
}

export function answerTexts({ text, language }: Question): Answer | null {
  const given = readTextWork(text)
  const work = given && workFor(given.words)
  if (!work) return null
  if (given.body === '') return { text: say(language, 'nothing') }
  const done = work.do(given, language)
  return done === null ? null : { text: done }
}

function summarise({ body }: Instructed, language: Language): string {
  const sentences = extractSummary(body).map((sentence) => `- ${sentence}`)
  return sentences.length > 0
    ? [say(language, 'summary'), '', ...sentences].join('\n')
    : say(language, 'nothing')
}

function writeOutline({ body }: Instructed, language: Language): string {
  return [say(language, 'outline'), '', ...outline(body)].join('\n')
}

function count({ body }: Instructed, language: Language): string {
  const { words, characters, letters, sentences, lines } = countText(body)
  const names = say(language, 'count_names').split(',')
  const [w = '', c = '', s = '', l = ''] = [words, characters, sentences, lines].map((number, at) => {
    const [one, several] = names[at]?.split('/') ?? []
    const isOne = language === 'fr' ? number < 2 : number === 1
    return `${writeNumber(String(number), language)} ${isOne ? one : several}`
  })
  return say(language, 'counts', w, c, writeNumber(String(letters), language), s, l)
}

function sort({ body, words }: Instructed, language: Language): string {
  const isDescending = has(words, 'descending reverse reversed décroissant inverse')
  return sortLines(body, language, isDescending)
    .map((line) => `- ${line}`)
    .join('\n')
}

function find(kind: Kind): Work['do'] {
  return ({ body }, language) => {
    const found = findInText(kind, body)
    return found.length > 0 ? found.map((one) => `- ${one}`).join('\n') : say(language, 'none_found')
  }
}

/** Converts to the format that is named last, unless the text already has it. */
function convertTable({ body, instruction }: Instructed, language: Language): string | null {
  const rows = readTable(body)
  if (!rows) return null
  const named = instruction.toLowerCase()
  const table = Math.max(...['table', 'markdown', 'tableau'].map((name) => named.lastIndexOf(name)))
  const isCsv = isMarkdownTable(body) || named.lastIndexOf('csv') > table
  return isCsv ? writeCsv(rows, language) : writeMarkdownTable(rows)
}
