import type { MaskedDetail } from '#shared/models/masking/masking.ts'
import type { MaskedValue } from './replacing/mapping.ts'
import { placeholderOf } from './replacing/placeholders.ts'

/** Returns the values of placeholders, in the order of the values. */
export function maskedDetails(
  values: readonly MaskedValue[],
  placeholders: readonly string[],
): MaskedDetail[] {
  const wanted = new Set(placeholders)
  return values.flatMap(({ kind, number, value }) => {
    const placeholder = placeholderOf(kind, number)
    return kind !== 'text' && wanted.has(placeholder) ? [{ kind, placeholder, value }] : []
  })
}
