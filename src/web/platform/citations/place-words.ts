import type { PassagePlace } from '#shared/platform/citations/passages.ts'
import { describePlace } from '#shared/platform/citations/place-words.ts'
import type { TFunction } from '../i18n/i18n.ts'

/** Returns the place of a passage as text; empty for documents without places. `t` must know `streaming_blocks`. */
export function placeWords(t: TFunction, passage: PassagePlace, length: 'short' | 'long' = 'short'): string {
  const place = describePlace(passage, length)
  return place ? t(`citation.${place.key}`, place.values) : ''
}
