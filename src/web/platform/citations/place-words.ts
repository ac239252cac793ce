import type { PassagePlace } from '#shared/platform/citations/passages.ts'
import { describePlace } from '#shared/platform/citations/place-words.ts'
import type { TFunction } from '../i18n/i18n.ts'

/** Where a passage stands, in words; empty where its document has no places. `t` knows `streaming_blocks`. */
export function placeWords(t: TFunction, passage: PassagePlace, length: 'short' | 'long' = 'short'): string {
  const place = describePlace(passage, length)
  return place ? t(`citation.${place.key}`, place.values) : ''
}
