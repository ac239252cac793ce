import type { Language } from '#shared/platform/primitives.ts'
import type { Findings } from './findings.ts'
import type { Readable } from './readable.ts'
import { researchText } from './research-texts.ts'
import type { Searched } from './search-one.ts'

/** Maximum rows, and characters per cell. */
const LINES_MOST = 60
const CELL_MOST = 300

/** Returns a table of the findings for each question, with source numbers in the form models write. */
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

/** Escapes text for a cell: one line, without cell ends, code marks or apparent source numbers. */
function cell(text: string): string {
  const plain = text
    .replace(/[|`\\<>[\]]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > CELL_MOST ? `${plain.slice(0, CELL_MOST).toWellFormed()}…` : plain
}
