import { type MaskedKind, placeholderOf } from './placeholders.ts'

/** A value that is replaced, with the number of its placeholder within its kind. */
export type MaskedValue = { kind: MaskedKind; number: number; value: string }

/** The values of one chat, in the order in which they were first sent. */
export type Mapping = {
  values: readonly MaskedValue[]
  placeholder: (kind: MaskedKind, value: string) => string | null
  lookup: (kind: MaskedKind, number: number) => string | null
  /** Values that begin with this word, the longest first. */
  beginningWith: (word: string) => readonly MaskedValue[]
}

export function createMapping(values: readonly MaskedValue[]): Mapping {
  const numbers = new Map(values.map((one) => [`${one.kind} ${one.value}`, one.number]))
  const byNumber = new Map(values.map((one) => [`${one.kind} ${one.number}`, one.value]))
  const byWord = new Map<string, MaskedValue[]>()
  for (const one of values) {
    const word = firstWord(one.value)
    if (word && one.kind !== 'text' && one.value.length > 2)
      byWord.set(word, [...(byWord.get(word) ?? []), one])
  }
  for (const list of byWord.values()) list.sort((a, b) => b.value.length - a.value.length)
  return {
    values,
    placeholder: (kind, value) => {
      const number = numbers.get(`${kind} ${value}`)
      return number === undefined ? null : placeholderOf(kind, number)
    },
    lookup: (kind, number) => byNumber.get(`${kind} ${number}`) ?? null,
    beginningWith: (word) => byWord.get(word) ?? [],
  }
}

const firstWord = (value: string): string => /[\p{L}\p{N}]+/u.exec(value)?.[0] ?? ''

/** Adds values that have no placeholder yet, each with the next number of its kind. Returns the same list when there are none. */
export function addValues(
  known: readonly MaskedValue[],
  found: readonly Pick<MaskedValue, 'kind' | 'value'>[],
): readonly MaskedValue[] {
  const seen = new Set(known.map(({ kind, value }) => `${kind} ${value}`))
  const last = new Map<MaskedKind, number>()
  for (const { kind, number } of known) last.set(kind, Math.max(number, last.get(kind) ?? 0))
  const fresh = found.flatMap(({ kind, value }) => {
    if (seen.has(`${kind} ${value}`)) return []
    seen.add(`${kind} ${value}`)
    const number = (last.get(kind) ?? 0) + 1
    last.set(kind, number)
    return [{ kind, number, value }]
  })
  return fresh.length === 0 ? known : [...known, ...fresh]
}
