import { citationTag, websourceTag } from '#shared/platform/citations/citation-tags.ts'
import { createCiter } from '#shared/platform/citations/citer.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { type CitedText, createCheck } from '../model/cited-text.ts'
import { evidenceTable } from './evidence-table.ts'
import type { Findings } from './findings.ts'
import type { Readable } from './readable.ts'
import type { Searched } from './search-one.ts'

type Given = { findings: Findings; readable: Readable; searched: readonly Searched[]; language: Language }

/**
 * Creates the citations of a report while it streams. Numbers refer to pages and passages; unknown ones are dropped. The table
 * of findings follows the text with the same numbers. Each sentence is checked against its sources.
 */
export function citeFindings({ findings, readable, searched, language }: Given): CitedText {
  const { sources } = findings
  const byId = new Map(sources.map((source) => [source.id, source]))
  const citer = createCiter(
    sources.map(({ id }) => (readable.cites(id) ? id : null)),
    {
      tag: (id, number) => {
        const source = byId.get(id)
        return source?.url ? websourceTag(source.url, source.title ?? '', number) : citationTag(id, number)
      },
    },
  )
  const cited = () => [...citer.cited()].sort(([, a], [, b]) => a - b).flatMap(([id]) => byId.get(id) ?? [])
  let table = ''
  return {
    push: citer.push,
    end: () => {
      const last = citer.end()
      table = citer.push(evidenceTable(findings, readable, searched, language)) + citer.end()
      return last + table
    },
    absent: () => null,
    cited: () => undefined,
    sources: cited,
    ...createCheck((leaf) => {
      // Table rows are not sentences and were checked when they were found.
      const shown = leaf.textSoFar()
      const answer = shown.slice(0, shown.length - table.length)
      return { answer, passages: textsOf(findings, readable) }
    }),
  }
}

/** Returns the text of each source: a passage's words, or a page's undoubted findings and snippet. */
function textsOf({ sources, findings }: Findings, readable: Readable): Map<string, string> {
  return new Map(
    sources.map(({ id, snippet }) => {
      const passage = readable.passage(id)
      if (passage) return [id, passage.text] as const
      const found = findings.filter((one) => !one.isDoubtful && one.sources.includes(id))
      return [id, [snippet ?? '', ...found.map(({ text }) => text)].join('\n')] as const
    }),
  )
}
