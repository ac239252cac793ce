import type { Language } from '#shared/platform/primitives.ts'
import type { Findings } from './findings.ts'
import type { Readable } from './readable.ts'
import { researchText } from './research-texts.ts'
import type { Searched } from './search-one.ts'

/** So many findings have a line, and a cell so many characters. */
const LINES_MOST = 60
const CELL_MOST = 300

/** A table of what was found for each question, with the numbers of its sources as a model writes them. */
export function evidenceTable(
  { findings, sources }: Findings,
  readable: Readable,
  searched: readonly Searched[],
  language: Language,
): string {
  const texts = researchText(language)
  const numbers = new Map(sources.map(({ id }, at) => [id, at + 1]))
  const shown = findings.filter(readable.has).slice(0, LINES_MOST)
  if (shown.length === 0) return ''
  const lines = shown.map(({ at, text, sources: ids, isDoubtful }) => {
    const found = isDoubtful ? `${cell(text)} (${texts.doubtful})` : cell(text)
    const marks = ids.map((id) => `[${numbers.get(id)}]`).join(' ')
    return `| ${cell(searched[at]?.query.question ?? '')} | ${found} | ${marks} |`
  })
  const head = `| ${texts.columns.join(' | ')} |\n| --- | --- | --- |`
  return `\n\n## ${texts.evidence}\n\n${head}\n${lines.join('\n')}`
}

/** Text as it may stand in a cell: on one line, with nothing that would end it, begin code or look like a number of a source. */
function cell(text: string): string {
  const plain = text
    .replace(/[|`\\<>[\]]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > CELL_MOST ? `${plain.slice(0, CELL_MOST).toWellFormed()}…` : plain
}
