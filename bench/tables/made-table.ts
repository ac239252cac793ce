/** A labelled cell. Rows and columns count from 0; the ends are included. */
export type Cell = { row: number; col: number; row_end: number; col_end: number; text: string }

/** A table as drawn, which is also the expected result. */
export type MadeTable = {
  cells: (Cell & { lines: string[]; align: 'left' | 'right' | 'center' })[]
  rows: number
  columns: number
  headRows: number
}

export type Random = () => number

/** Returns a generator of random numbers from 0 to 1, determined by the seed. */
export function createRandom(seed: number): Random {
  let state = seed * 2654435761
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T
export const between = (random: Random, low: number, high: number) =>
  low + Math.floor(random() * (high - low + 1))

type Kind = 'number' | 'money' | 'percent' | 'decimal' | 'text' | 'words' | 'year' | 'code'

const WORDS =
  'total revenue cost of goods sold gross profit research development marketing general administration interest income other expenses taxes net earnings share equity assets cash inventories property plant equipment goodwill debt leases provisions employees households energy water waste transport education health region north south east west population exports imports'.split(
    ' ',
  )
const NAMES =
  'Austria Belgium Denmark Finland France Germany Greece Ireland Italy Norway Poland Portugal Spain Sweden Switzerland Netherlands'.split(
    ' ',
  )
const PHRASES = [
  'see note 4',
  'not available',
  'under review',
  'in force',
  'annual',
  'every two years',
  'full cover',
  'partial cover',
  'field survey',
  'register data',
  'interview',
  'both',
  'estimate',
  'provisional',
]
const TITLES: Record<Kind, string[]> = {
  number: ['Units', 'Number of cases', 'Staff', 'Persons', 'Volume', 'Total'],
  money: ['Amount', 'Cost', 'Budget', '2023', '2024', 'Net value'],
  percent: ['Share', 'Change', 'Rate', '% of total', 'Growth'],
  decimal: ['Mean', 'Index', 'Std. error', 'Score', 'Ratio'],
  text: ['Method', 'Status', 'Source', 'Remarks', 'Coverage'],
  words: ['Description', 'Main findings', 'Recommended action'],
  year: ['Year', 'Since', 'Base year'],
  code: ['Code', 'Item', 'Ref.'],
}

/** Parameters of a generated table, including the features that make tables hard to read. */
export type Recipe = {
  rows: number
  valueColumns: number
  /** Adds a head of two rows whose upper cells span columns. */
  hasGroups: boolean
  hasWrappedLabels: boolean
  hasSections: boolean
  /** The share of cells without text. */
  empty: number
  kinds: Kind[]
  isLeft: boolean
}

export function makeRecipe(random: Random, changes: Partial<Recipe> = {}): Recipe {
  return {
    rows: between(random, 4, 22),
    valueColumns: between(random, 2, 7),
    hasGroups: random() < 0.3,
    hasWrappedLabels: random() < 0.25,
    hasSections: random() < 0.25,
    empty: pick(random, [0, 0, 0.05, 0.2]),
    kinds: pick(random, [
      ['number'],
      ['money'],
      ['number', 'percent'],
      ['decimal'],
      ['number', 'text'],
      ['text'],
      ['money', 'percent'],
      ['year', 'number'],
      ['code', 'number', 'text'],
    ] as const) as Kind[],
    isLeft: random() < 0.15,
    ...changes,
  }
}

export function makeTable(random: Random, recipe: Recipe): MadeTable {
  const kinds = Array.from(
    { length: recipe.valueColumns },
    (_, at) => recipe.kinds[at % recipe.kinds.length] as Kind,
  )
  const cells: MadeTable['cells'] = []
  const add = (
    row: number,
    col: number,
    lines: string[],
    align: 'left' | 'right' | 'center',
    more: Partial<Cell> = {},
  ) => {
    if (lines.join('') === '') return
    cells.push({ row, col, row_end: row, col_end: col, ...more, text: lines.join(' '), lines, align })
  }
  const side = recipe.isLeft ? 'left' : 'right'
  let row = 0
  if (recipe.hasGroups) {
    for (let col = 1; col <= kinds.length; ) {
      const span = Math.min(kinds.length - col + 1, between(random, 2, 3))
      add(row, col, [capital(phrase(random, 1, 2))], 'center', { col_end: col + span - 1 })
      col += span
    }
    row++
  }
  if (random() < 0.7)
    add(row, 0, [pick(random, ['Item', 'Country', 'Category', 'Description', 'Region'])], 'left')
  for (const [at, kind] of kinds.entries())
    add(row, at + 1, headOf(random, kind), isText(kind) ? 'left' : side)
  const headRows = ++row
  for (let made = 0; made < recipe.rows; made++, row++) {
    if (recipe.hasSections && made % 6 === 0) add(row++, 0, [`${capital(phrase(random, 2, 3))}:`], 'left')
    add(row, 0, labelOf(random, recipe.hasWrappedLabels), 'left')
    kinds.forEach((kind, at) => {
      if (random() < recipe.empty) return
      add(
        row,
        at + 1,
        cellValue(random, kind, made === 0 || made === recipe.rows - 1),
        isText(kind) ? 'left' : side,
      )
    })
  }
  return { cells, rows: row, columns: kinds.length + 1, headRows }
}

function headOf(random: Random, kind: Kind): string[] {
  const title = pick(random, TITLES[kind])
  const words = title.split(' ')
  return words.length > 1 && random() < 0.5 ? [words[0] as string, words.slice(1).join(' ')] : [title]
}

function labelOf(random: Random, canWrap: boolean): string[] {
  if (random() < 0.3) return [pick(random, NAMES)]
  if (canWrap && random() < 0.35) return [capital(phrase(random, 3, 4)), phrase(random, 1, 3)]
  return [capital(phrase(random, 1, 4))]
}

const isText = (kind: Kind) => kind === 'text' || kind === 'words'

function cellValue(random: Random, kind: Kind, hasSign: boolean): string[] {
  if (kind !== 'words') return [shortValueOf(random, kind, hasSign)]
  return Array.from({ length: between(random, 1, 4) }, (_, at) =>
    at === 0 ? capital(phrase(random, 3, 4)) : phrase(random, 2, 4),
  )
}

function shortValueOf(random: Random, kind: Kind, hasSign: boolean): string {
  if (random() < 0.04 && kind !== 'text') return pick(random, ['-', '–', 'n.a.', '..'])
  const whole = between(random, 1, 10 ** between(random, 1, 6))
  if (kind === 'number') return whole.toLocaleString('en-US')
  if (kind === 'money') {
    const amount = random() < 0.15 ? `(${whole.toLocaleString('en-US')})` : whole.toLocaleString('en-US')
    return hasSign ? `$ ${amount}` : amount
  }
  if (kind === 'percent') return `${(random() * 100).toFixed(1)}${pick(random, ['%', ' %'])}`
  if (kind === 'decimal') return (random() * 20 - 4).toFixed(2)
  if (kind === 'year') return `${between(random, 1960, 2025)}`
  if (kind === 'code') return `${pick(random, ['A', 'B', 'KX'])}-${between(random, 100, 999)}`
  return pick(random, PHRASES)
}

export function phrase(random: Random, low: number, high: number): string {
  return Array.from({ length: between(random, low, high) }, () => pick(random, WORDS)).join(' ')
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns flowing text of about `words` words. */
export function prose(random: Random, words: number): string {
  const sentences: string[] = []
  for (let left = words; left > 0; left -= 12) sentences.push(`${capital(phrase(random, 9, 14))}.`)
  return sentences.join(' ')
}
