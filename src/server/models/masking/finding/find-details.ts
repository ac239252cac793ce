import type { MaskKind } from '#shared/models/masking/masking.ts'
import { findAddresses } from './addresses.ts'
import { findCards, findIbans } from './bank-numbers.ts'
import { findBirths } from './births.ts'
import { findColumns } from './columns.ts'
import { findEmails, findPhones } from './contacts.ts'
import type { Detail } from './detail.ts'
import { findIdentityNumbers } from './identity-numbers.ts'
import { findPersons } from './persons.ts'

/** Finders, the surest first: where two overlap, the first one counts. */
const finders: readonly [MaskKind[], (text: string) => Detail[]][] = [
  [['email'], findEmails],
  [['iban'], findIbans],
  [['card'], findCards],
  [['identity'], findIdentityNumbers],
  [['birth'], findBirths],
  [['address'], findAddresses],
  [['phone'], findPhones],
  [['person'], findPersons],
  [['person', 'address', 'birth', 'identity', 'phone'], findColumns],
]

/**
 * Finds personal details of the given kinds in English, French and German text, in order and without overlaps. Takes linear time.
 * Rules and lists find them, so some are missed and some are no details.
 */
export function findDetails(text: string, kinds: ReadonlySet<MaskKind>): Detail[] {
  const found: Detail[] = []
  for (const [able, find] of finders)
    if (able.some((kind) => kinds.has(kind))) found.push(...find(text).filter(({ kind }) => kinds.has(kind)))
  return withoutOverlaps(found)
}

/** Resolves overlaps: a detail that contains another stays, otherwise the one that was found first. */
function withoutOverlaps(found: readonly Detail[]): Detail[] {
  const ranked = found
    .map((detail, rank) => ({ detail, rank }))
    .sort((a, b) => a.detail.at - b.detail.at || b.detail.end - a.detail.end || a.rank - b.rank)
  const kept: { detail: Detail; rank: number }[] = []
  for (const one of ranked) {
    const last = kept.at(-1)
    if (!last || last.detail.end <= one.detail.at) kept.push(one)
    else if (one.detail.end > last.detail.end && one.rank < last.rank) kept[kept.length - 1] = one
  }
  return kept.map(({ detail }) => detail)
}
