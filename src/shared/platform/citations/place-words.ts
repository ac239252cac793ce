import { extensionOf } from '../file-extension.ts'
import type { PassagePlace } from './passages.ts'

const SLIDES = ['ppt', 'pptx', 'odp']

/** Location of a passage as a translation key under `citation`, with its values. */
export type PlaceWords = {
  key: 'cells' | 'sheet' | 'second' | 'seconds' | 'slide' | 'page' | 'page_short'
  values: Record<string, string | number>
}

/** Describes the location of a passage; returns null for documents without places. */
export function describePlace(passage: PassagePlace, length: 'short' | 'long' = 'short'): PlaceWords | null {
  const { sheet, range, start, end, page = null } = passage.place
  if (sheet) return range ? { key: 'cells', values: { sheet, range } } : { key: 'sheet', values: { sheet } }
  if (start !== undefined) {
    const from = clockOf(start)
    const to = end === undefined ? from : clockOf(end)
    return to === from ? { key: 'second', values: { from } } : { key: 'seconds', values: { from, to } }
  }
  const number = passage.page_number ?? page
  if (number === null) return null
  if (SLIDES.includes(extensionOf(passage.document_name))) return { key: 'slide', values: { number } }
  return { key: length === 'long' ? 'page' : 'page_short', values: { number } }
}

/** Formats seconds as a clock time. */
function clockOf(seconds: number): string {
  const two = (value: number) => String(Math.floor(value) % 60).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}
