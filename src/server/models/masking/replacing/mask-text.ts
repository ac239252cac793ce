import type { MaskKind } from '#shared/models/masking/masking.ts'
import { findDetails } from '../finding/find-details.ts'
import { looksLikeJson, unescapeJson, viewOf } from './json-view.ts'
import type { Mapping } from './mapping.ts'
import { findPlaceholders, type MaskedKind } from './placeholders.ts'

/** A place of a text that is replaced, with the value that is restored. */
export type Spot = { kind: MaskedKind; at: number; end: number; value: string }

/** Characters of texts whose details are remembered: the texts of a chat are sent again with each call. */
const MAX_REMEMBERED = 4_000_000

/** Creates a finder that remembers the details of texts it saw, up to a total length. */
export function createFinder() {
  const seen = new Map<string, Spot[]>()
  let total = 0
  return (text: string, kinds: ReadonlySet<MaskKind>): Spot[] => {
    const key = `${[...kinds].sort().join()} ${text}`
    const known = seen.get(key)
    if (known) return known
    const spots = findSpots(text, kinds)
    seen.set(key, spots)
    total += key.length
    for (const oldest of seen.keys()) {
      if (total <= MAX_REMEMBERED) break
      seen.delete(oldest)
      total -= oldest.length
    }
    return spots
  }
}

function findSpots(text: string, kinds: ReadonlySet<MaskKind>): Spot[] {
  const isJson = looksLikeJson(text)
  const literal = findPlaceholders(text).map((one) => ({ ...one, kind: 'text' as const }))
  const view = viewOf(text)
  const details = findDetails(view.text, kinds)
    .map((one) => ({ ...one, at: view.placeOf(one.at), end: view.placeOf(one.end) }))
    .filter((one) => !literal.some((other) => one.at < other.end && other.at < one.end))
  return [...literal, ...details]
    .sort((a, b) => a.at - b.at)
    .map(({ kind, at, end }) => {
      const written = text.slice(at, end)
      return { kind, at, end, value: isJson ? unescapeJson(written) : written }
    })
}

const WORD = /[\p{L}\p{N}]+/gu

/** Adds the places at which values of the mapping are written and that no rule found. */
export function addKnown(
  text: string,
  spots: readonly Spot[],
  mapping: Mapping,
  kinds: ReadonlySet<MaskKind>,
): Spot[] {
  if (mapping.values.length === 0) return [...spots]
  const found: Spot[] = []
  let from = 0
  let next = 0
  for (const match of text.matchAll(WORD)) {
    const at = match.index
    if (at < from) continue
    while ((spots[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++
    const spot = spots[next]
    if (spot && spot.at <= at) continue
    const known = mapping
      .beginningWith(match[0])
      .find(({ kind, value }) => kind !== 'text' && kinds.has(kind) && isWritten(text, at, value))
    if (!known || (spot && at + known.value.length > spot.at)) continue
    from = at + known.value.length
    found.push({ kind: known.kind, at, end: from, value: known.value })
  }
  return [...spots, ...found].sort((a, b) => a.at - b.at)
}

const isWritten = (text: string, at: number, value: string): boolean =>
  text.startsWith(value, at) && !/[\p{L}\p{N}]/u.test(text[at + value.length] ?? '')

/** Replaces the spots of a text. Adds the placeholders to `used`. */
export function replaceSpots(
  text: string,
  spots: readonly Spot[],
  mapping: Mapping,
  used: Set<string>,
): string {
  let written = ''
  let from = 0
  for (const { kind, at, end, value } of spots) {
    const placeholder = mapping.placeholder(kind, value)
    if (placeholder === null) continue
    used.add(placeholder)
    written += text.slice(from, at) + placeholder
    from = end
  }
  return written + text.slice(from)
}
