import type { MaskKind } from '#shared/models/masking/masking.ts'

/** Text that looked like a placeholder before anything was replaced is replaced too, so that it cannot be confused. */
export type MaskedKind = MaskKind | 'text'

const names: Record<MaskedKind, string> = {
  ...{ person: 'PERSON', address: 'ADDRESS', email: 'EMAIL', phone: 'PHONE', iban: 'IBAN', card: 'CARD' },
  ...{ identity: 'ID_NUMBER', birth: 'BIRTH_DATE', text: 'TEXT' },
}
const kinds = new Map(Object.entries(names).map(([kind, name]) => [name, kind as MaskedKind]))

/** Longest text of a placeholder that is not complete yet. */
const MAX_LENGTH = 40

/** A placeholder as models write it: in any case, with escapes of Markdown or of addresses, with blanks, or without brackets. */
const PLACEHOLDER =
  /(?:\\?\[ ?|%5B|(?<![\p{L}\p{N}_%[]))(PERSON|ADDRESS|EMAIL|PHONE|IBAN|CARD|ID(?:\\?[_ -])?NUMBER|BIRTH(?:\\?[_ -])?DATE|TEXT)(?:\\?_|[ -])(\d{1,6})(?: ?\\?\]|%5D|(?![\p{L}\p{N}_\]]))/giu

/** Text that may become a placeholder when more arrives. */
const BEGINNING =
  /(?:\\|\\?\[ ?|%(?:5(?:B)?)?)$|(?:\\?\[ ?|%5B|(?<![\p{L}\p{N}_]))([A-Za-z]{1,7}(?:\\?[_ -]?[A-Za-z]{0,6})?)(?:(?:\\|\\?_|[ -])(?:\d{0,6})?(?: ?\\?|%|%5)?)?$/u

export const placeholderOf = (kind: MaskedKind, number: number): string => `[${names[kind]}_${number}]`

/** Finds texts that are, or would be read as, placeholders. */
export const findPlaceholders = (text: string): { at: number; end: number }[] =>
  [...text.matchAll(PLACEHOLDER)].map((match) => ({ at: match.index, end: match.index + match[0].length }))

/** Returns the value of a placeholder, or null when it stands for nothing. */
export type Lookup = (kind: MaskedKind, number: number) => string | null

/** Puts values back for placeholders. `write` says how a value is written at its place. */
export function restore(text: string, lookup: Lookup, write: (value: string) => string = String): string {
  return text.replace(PLACEHOLDER, (written: string, name: string, number: string) => {
    const kind = kinds.get(
      name
        .replaceAll('\\', '')
        .replace(/[ -]/, '_')
        .toUpperCase()
        .replace(/^(ID|BIRTH)(?=[ND])/, '$1_'),
    )
    const value = kind ? lookup(kind, Number(number)) : null
    if (value === null) return written
    return written.startsWith('%') ? encodeURIComponent(value) : write(value)
  })
}

/** Restores text that arrives in pieces. `push` returns what is certain; `end` returns the rest. */
export function createRestorer(lookup: Lookup, write?: (value: string) => string) {
  let held = ''
  return {
    push: (piece: string): string => {
      held += piece
      const from = beginningOf(held)
      const certain = held.slice(0, from)
      held = held.slice(from)
      return restore(certain, lookup, write)
    },
    end: (): string => {
      const rest = held
      held = ''
      return restore(rest, lookup, write)
    },
  }
}

/** Returns where a placeholder may have begun that is not complete; the length of the text when none may. */
function beginningOf(text: string): number {
  const tail = text.slice(-MAX_LENGTH)
  const found = BEGINNING.exec(tail)
  if (!found || (found[1] !== undefined && !mayBeName(found[1]))) return text.length
  return text.length - tail.length + found.index
}

function mayBeName(letters: string): boolean {
  const bare = letters.replace(/[\\_ -]/g, '').toUpperCase()
  return Object.values(names).some((name) => name.replace('_', '').startsWith(bare))
}

/** Counts placeholders by kind. */
export function countKinds(placeholders: readonly string[]): Partial<Record<MaskKind, number>> {
  const counts: Partial<Record<MaskKind, number>> = {}
  for (const placeholder of placeholders) {
    const kind = kinds.get(placeholder.slice(1, placeholder.lastIndexOf('_')))
    if (kind && kind !== 'text') counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}
