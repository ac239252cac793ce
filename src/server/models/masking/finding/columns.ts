import type { MaskKind } from '#shared/models/masking/masking.ts'
import type { Detail } from './detail.ts'
import { stopWords } from './person-words.ts'

const HEADS: readonly [MaskKind, RegExp][] = [
  ['birth', /birth|\bdob\b|naissance|\bné|geburt|\bgeb\b/i],
  [
    'identity',
    /passport|passeport|reisepass|ausweis|\bssn\b|social security|sécurité sociale|\bnir\b|steuer-?id|\bnino\b|insurance n|identit/i,
  ],
  ['address', /address|adresse|anschrift|domicile|wohnort|straße|street/i],
  ['phone', /phone|mobile|\btél|telefon|handy|portable|\btel\b/i],
  [
    'person',
    /^(?:full |first |last |sur|given |family )?name$|^(?:nom|prénom|nom complet|nom et prénom)$|^(?:vor|nach|familien)?name$|\b(?:customer|client|patient|employee|contact|tenant|salarié|locataire|kunde|mitarbeiter|mieter|ansprechpartner)(?: name)?$/i,
  ],
]
const MAX_CELL = 120

/** Finds what columns of tables hold, by their heads: lines with `|`, tabs, `;` or `,` between cells. */
export function findColumns(text: string): Detail[] {
  const details: Detail[] = []
  let table: { mark: string; kinds: (MaskKind | null)[] } | null = null
  let at = 0
  for (const line of text.split('\n')) {
    const mark = table && line.includes(table.mark) ? table.mark : markOf(line)
    const cells = mark ? line.split(mark) : []
    if (!mark || cells.length < 2) table = null
    else if (table && table.kinds.length === cells.length)
      details.push(...readRow(cells, at, mark, table.kinds))
    else table = readHead(cells, mark)
    at += line.length + 1
  }
  return details
}

const markOf = (line: string): string | null =>
  ['|', '\t', ';', ','].find((mark) => line.includes(mark)) ?? null

function readHead(cells: readonly string[], mark: string) {
  const kinds = cells.map((cell) => HEADS.find(([, head]) => head.test(bare(cell)))?.[0] ?? null)
  return kinds.some(Boolean) && cells.every((cell) => cell.length < 40) ? { mark, kinds } : null
}

function readRow(
  cells: readonly string[],
  from: number,
  mark: string,
  kinds: readonly (MaskKind | null)[],
): Detail[] {
  let at = from
  return cells.flatMap((cell, column): Detail[] => {
    const start = at + (cell.length - cell.trimStart().replace(/^["*_]{1,3}/, '').length)
    at += cell.length + mark.length
    const value = bare(cell)
    const kind = kinds[column]
    return kind && isValue(value, kind) ? [{ kind, at: start, end: start + value.length }] : []
  })
}

const bare = (cell: string) =>
  cell
    .trim()
    .replace(/^["*_]{1,3}/, '')
    .replace(/["*_]{1,3}$/, '')

function isValue(value: string, kind: MaskKind): boolean {
  if (value.length < 2 || value.length > MAX_CELL) return false
  if (kind === 'person')
    return /^\p{Lu}[\p{L}\p{M}'’. -]{1,60}$/u.test(value) && !stopWords.has(value.toLowerCase())
  const isAddress = kind !== 'address' || (value.includes(' ') && !value.includes('/'))
  return isAddress && /\d/.test(value) && !/[`:]/.test(value)
}
