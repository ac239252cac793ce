import { segment } from './segment.ts'
import type { IndexLanguage, Target } from './table-spec.ts'
import { bodyOf, vectorOf } from './table-spec.ts'

/** A passage as it is stored: `vectors` by the names of the targets, several under a name where that is multi. */
export type Row = {
  id: string
  reading_id: string
  document_id: string
  user_id: string
  company_id: string | null
  shared_access: string[]
  chunk_type: string
  file_name: string
  file_type: string
  /** Counted from 1. */
  page: number | null
  /** In its document. */
  position: number
  /** Milliseconds since 1970. */
  created_at: number
  language: IndexLanguage
  /** Of the document, with the titles the passage stands below. */
  title: string
  text: string
  metadata: Record<string, unknown>
  vectors: Record<string, Vector | Vector[]>
}

export type Vector = ArrayLike<number>
export type Stored = Omit<Row, 'vectors'>

/** What a vector must be: of the right length, of numbers, and not all zeros, which no metric finds. */
export class WrongVector extends Error {}

/** A row as the table takes it. @throws WrongVector */
export function toColumns({ vectors, metadata, ...row }: Row, targets: readonly Target[]) {
  return {
    ...row,
    ...{ body_en: null, body_fr: null, body_xx: null, metadata: JSON.stringify(metadata) },
    [bodyOf(row.language)]: segment(row.title === '' ? row.text : `${row.title}\n${row.text}`),
    ...Object.fromEntries(
      targets.map((target) => [vectorOf(target), columnOf(vectors[target.name], target)]),
    ),
  }
}

function columnOf(value: Vector | Vector[] | undefined, target: Target) {
  if (value === undefined) return null
  if (!target.isMulti) return checkVector(value as Vector, target)
  return (value as Vector[]).map((one) => checkVector(one, target))
}

/** The numbers of a vector as its metric compares them: for `hamming` their signs, eight to a byte. @throws WrongVector */
export function checkVector(vector: Vector, { name, dimensions, metric }: Target): number[] {
  if (vector.length !== dimensions)
    throw new WrongVector(`The vector ${name} has ${dimensions} numbers, not ${vector.length}.`)
  const numbers = Array.from(vector)
  if (!numbers.every(Number.isFinite)) throw new WrongVector(`The vector ${name} holds what is no number.`)
  if (metric === 'hamming') return bitsOf(numbers)
  if (numbers.every((number) => number === 0)) throw new WrongVector(`The vector ${name} is all zeros.`)
  return numbers
}

function bitsOf(numbers: number[]): number[] {
  const bytes = new Array<number>(Math.ceil(numbers.length / 8)).fill(0)
  for (const [at, number] of numbers.entries())
    if (number > 0) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7))
  return bytes
}
