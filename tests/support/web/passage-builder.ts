import type { PassagePlace } from '#shared/platform/citations/passages.ts'

/** Returns the place of a cited passage, for tests and the gallery. */
export function aPassage(given: Partial<PassagePlace> = {}): PassagePlace {
  return {
    document_id: crypto.randomUUID(),
    document_name: 'Lease.pdf',
    heading_path: ['2. Charges', '2.1 Rent'],
    page_number: 4,
    place: { page: 4, boxes: [{ page: 4, box: [0.1, 0.3, 0.9, 0.36] }] },
    ...given,
  }
}
