import { type ToldDocument, writeEvidence } from '../../../models/models/evidence.ts'
import type { Findings } from './findings.ts'
import type { Readable } from './readable.ts'

/** Maximum characters of a passage besides its findings. */
const WORDS_MOST = 900

/** Formats the numbered sources with their own text. */
export function tellSources({ sources }: Findings, readable: Readable): string {
  const told = sources.flatMap(({ id, title, url, snippet }, at): ToldDocument[] => {
    if (!readable.cites(id)) return []
    const text = (readable.passage(id)?.text ?? snippet ?? '').slice(0, WORDS_MOST).toWellFormed()
    const place = url !== null && URL.canParse(url) ? new URL(url).hostname : ''
    return [{ name: title ?? '', parts: [{ place, passages: [{ number: at + 1, text }] }] }]
  })
  return writeEvidence(told)
}
