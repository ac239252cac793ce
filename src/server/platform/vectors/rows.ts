import { segment } from './segment.ts'
import type { IndexLanguage, Target } from './table-spec.ts'
import { bodyOf, vectorOf } from './table-spec.ts'

/** A stored passage. `vectors` is keyed by target; a multi-vector target has several per row. */
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
  /** Page number, starting at 1. */
  page: number | null
  /** Position in the document. */
  position: number
  /** Unix time in milliseconds. */
  created_at: number
  language: IndexLanguage
  /** Title of the document and of the sections above the passage. */
  title: string
  text: string
  metadata: Record<string, unknown>
  vectors: Record<string, Vector | Vector[]>
}

export type Vector = ArrayLike<number>
export type Stored = Omit<Row, 'vectors'>

/** A vector has the wrong length, a value that is not a number, or only zeros, which no metric finds. */
export class WrongVector extends Error {}

/** Converts a row to the table's columns. @throws WrongVector */
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

/** Converts a vector for its metric. For `hamming`, packs the signs into bytes, eight per byte. @throws WrongVector */
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
