import type { PassagePlace } from '#shared/citations/passages.ts'
import { extensionOf } from '#shared/documents/file-kinds.ts'
import type { TFunction } from '../i18n/i18n.ts'

const SLIDES = ['ppt', 'pptx', 'odp']

/** Where a passage stands, in words; empty where its document has no places. `t` knows `streaming_blocks`. */
export function placeWords(t: TFunction, passage: PassagePlace, length: 'short' | 'long' = 'short'): string {
  const { sheet, range, start, end, page = null } = passage.place
  if (sheet) return range ? t('citation.cells', { sheet, range }) : t('citation.sheet', { sheet })
  if (start !== undefined) {
    const from = clockOf(start)
    const to = end === undefined ? from : clockOf(end)
    return to === from ? t('citation.second', { from }) : t('citation.seconds', { from, to })
  }
  const number = passage.page_number ?? page
  if (number === null) return ''
  if (SLIDES.includes(extensionOf(passage.document_name))) return t('citation.slide', { number })
  return t(length === 'long' ? 'citation.page' : 'citation.page_short', { number })
}

/** Seconds as a clock shows them. */
function clockOf(seconds: number): string {
  const two = (value: number) => String(Math.floor(value) % 60).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}
