import type { MaskKind } from '#shared/models/masking/masking.ts'
import { english } from './english.ts'
import { free } from './free.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import * as make from './made-numbers.ts'
import { written } from './written.ts'

export type Language = 'en' | 'fr' | 'de'
export type Label = { kind: MaskKind; at: number; end: number }
export type Labelled = { text: string; labels: Label[] }

const material = { en: english, fr: french, de: german }
const VARIANTS = 6

const kindOf: Record<string, MaskKind> = {
  ...{
    person: 'person',
    given: 'person',
    surname: 'person',
    address: 'address',
    email: 'email',
    phone: 'phone',
  },
  ...{ iban: 'iban', card: 'card', birth: 'birth', nir: 'identity', tax: 'identity', ssn: 'identity' },
  ...{ nino: 'identity', pension: 'identity', passport: 'identity' },
}

/** Returns labelled texts: each template six times with other details, and those written by hand. */
export function makeLabelled(language: Language, part: 'seen' | 'unseen'): Labelled[] {
  const own = material[language]
  const templates = own[part]
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('\\n', '\n'))
  const made = templates.flatMap((template, index) =>
    Array.from({ length: VARIANTS }, (_, variant) =>
      fill(template, makerOf(language, part, seeded(`${language}${part}${index}.${variant}`))),
    ),
  )
  return [...made, ...written[language][part].map(readMarked)]
}

/** Returns texts in freer words. */
export const freeTexts = (language: Language): Labelled[] => free[language].map(readMarked)

/** Returns texts without personal details. */
export const plainTexts = (language: Language): string[] => material[language].plain.trim().split('\n')

type Maker = (what: string) => string

function makerOf(language: Language, part: 'seen' | 'unseen', next: make.Next): Maker {
  const own = material[language]
  const [givens, families, addresses] = [wordsOf(own.given), wordsOf(own.surnames), own.addresses].map(
    (all) => all.slice(...(part === 'seen' ? [0, -all.length / 3] : [-all.length / 3])),
  ) as [string[], string[], string[]]
  const pick = (items: readonly string[]) => items[next(items.length)] ?? ''
  const makers: Record<string, () => string> = {
    given: () => pick(givens),
    surname: () => pick(families),
    person: () => `${pick(givens)} ${pick(families)}`,
    address: () => pick(addresses),
    email: () =>
      `${asMail(pick(givens))}.${asMail(pick(families))}@${pick(['example.org', 'mail.example.com', 'example.fr', 'kanzlei.example.de'])}`,
    phone: () => make.makePhone(next, language),
    iban: () => make.makeIban(next),
    card: () => make.makeCard(next),
    birth: () => make.makeBirth(next, language),
    nir: () => make.makeNir(next),
    tax: () => make.makeTaxId(next),
    ssn: () => make.makeSsn(next),
    nino: () => make.makeNino(next),
    pension: () => make.makePension(next),
    passport: () => make.makePassport(next),
  }
  return (what) => makers[what]!()
}

/** Words between blanks; `_` is a blank within one. */
const wordsOf = (text: string) =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => word.replace('_', ' '))

const asMail = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '')

function fill(template: string, makeOne: Maker): Labelled {
  const labels: Label[] = []
  let text = ''
  for (const piece of template.split(/(\{[a-z]+\})/)) {
    const kind = kindOf[piece.slice(1, -1)]
    const value = kind && piece.startsWith('{') ? makeOne(piece.slice(1, -1)) : piece
    if (kind && piece.startsWith('{')) labels.push({ kind, at: text.length, end: text.length + value.length })
    text += value
  }
  return { text, labels }
}

/** Reads `⟦person:Marie Dupont⟧`. */
function readMarked(marked: string): Labelled {
  const labels: Label[] = []
  let text = ''
  for (const piece of marked.split(/(⟦[^⟧]*⟧)/)) {
    const [, kind, value = piece] = /^⟦(\w+):([^⟧]*)⟧$/.exec(piece) ?? []
    if (kind) labels.push({ kind: kind as MaskKind, at: text.length, end: text.length + value.length })
    text += value
  }
  return { text, labels }
}

/** Returns numbers that depend on the seed only (mulberry32). */
export function seeded(seed: string): make.Next {
  let state = 0
  for (const one of seed) state = (Math.imul(state, 31) + one.charCodeAt(0)) | 0
  return (n) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n
  }
}
