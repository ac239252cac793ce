import type { Report } from '#shared/knowledge/documents/parts.ts'
import type { Reading } from '../elements/order.ts'

/** Returns a report on the quality of a reading. */
export function reportOf({ elements, pages, warnings, letters }: Reading, languages: string[]): Report {
  const read = pages.filter(({ words }) => words !== undefined)
  const confidences = read.flatMap(({ confidence }) => (confidence === undefined ? [] : [confidence]))
  const withText = new Set(elements.flatMap(({ place }) => place?.boxes?.map(({ page }) => page) ?? []))
  const count = (type: string) => elements.filter((element) => element.type === type).length
  return {
    pages: pages.length || null,
    pages_without_text: pages.filter(({ number }) => !withText.has(number)).length,
    pages_by_ocr: read.length,
    ocr_confidence:
      confidences.length > 0 ? confidences.reduce((a, b) => a + b, 0) / confidences.length : null,
    ...{ tables: count('Table'), figures: count('Figure') },
    words: elements.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0),
    languages,
    ...(letters && { letters }),
    warnings: warnings.map(({ code, values = {} }) => ({ code, values })),
  }
}
