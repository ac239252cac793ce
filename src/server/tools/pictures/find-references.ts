import { ViewedPage } from '#shared/tools/tools/page-port.ts'

/** Maximum values of a result that are searched. */
const MAX_VALUES = 10_000

export type PageReference = Pick<ViewedPage, 'document_id' | 'page'>

/** Returns the ids of the first pictures and the first pages that a tool's result refers to, in order; `most` of them in all. */
export function findReferences(
  result: unknown,
  most: number,
): { pictures: string[]; pages: PageReference[] } {
  const ids = new Set<string>()
  const pages: PageReference[] = []
  const waiting = [result]
  for (
    let looked = 0;
    waiting.length > 0 && looked < MAX_VALUES && ids.size + pages.length < most;
    looked++
  ) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    const { type, id, media_type } = value as Record<string, unknown>
    const page = type === 'page_reference' ? ViewedPage.safeParse(value).data : undefined
    if (page) pages.push(page)
    else if (type === 'media_reference' && typeof id === 'string' && String(media_type).startsWith('image/'))
      ids.add(id)
    else waiting.push(...Object.values(value).toReversed())
  }
  return { pictures: [...ids], pages }
}
