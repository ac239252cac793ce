import { citationTag, websourceTag } from '#shared/platform/citations/citation-tags.ts'
import { createCiter } from '#shared/platform/citations/citer.ts'
import type { Doubt } from '#shared/platform/citations/doubts.ts'
import type { FoundSource } from '#shared/runs/runs/sources.ts'
import { type Briefing, checkCited, citeAnswer } from '../../../knowledge/rag/rag.ts'
import type { NamedPage } from '../../../knowledge/web-search/web-search.ts'
import type { Leaf } from '../../../runs/runs/runs.ts'
import type { NamedQuery } from './brief-queries.ts'

/** The visible text and its citations, while it streams. */
export type CitedText = {
  /** Takes model output and returns the text to show. */
  push: (delta: string) => string
  end: () => string
  /** Returns the sentence that replaces the model's text when the documents lack the answer; else null. */
  absent: () => string | null
  /** Returns all passages the message cites so far, by number; undefined when there is nothing to cite. */
  cited: () => string[] | undefined
  sources: () => FoundSource[]
  /** Reports unsupported sentences after the text has ended. */
  check: (leaf: Leaf) => void
  /** Reports again what a model says of the citations. */
  verify: (leaf: Leaf, judge: Judge) => Promise<void>
}

/** Asks a model about the citations of an answer. Null when no model judges them. */
export type Judge = (
  answer: string,
  passages: ReadonlyMap<string, string>,
  doubts: readonly Doubt[],
) => Promise<Doubt[] | null>

/** The check of an answer against its passages: first by rules, then by a model where one judges. */
export function createCheck(read: (leaf: Leaf) => { answer: string; passages: ReadonlyMap<string, string> }) {
  return {
    check: (leaf: Leaf) => {
      const { answer, passages } = read(leaf)
      leaf.emit({ event: 'response_checked', doubts: checkCited(answer, passages) })
    },
    verify: async (leaf: Leaf, judge: Judge) => {
      const { answer, passages } = read(leaf)
      const doubts = await judge(answer, passages, checkCited(answer, passages))
      if (doubts) leaf.emit({ event: 'response_checked', doubts })
    },
  }
}

/** Without passages the text is shown unchanged. */
const PLAIN: CitedText = {
  push: (delta) => delta,
  ...{ end: () => '', absent: () => null, cited: () => undefined, sources: () => [] },
  ...{ check: () => undefined, verify: async () => undefined },
}

/** `queries` are numbered behind the passages or pages. */
export function createCitedText(
  briefing: Briefing | null,
  pages: readonly NamedPage[],
  queries: readonly NamedQuery[],
): CitedText {
  if (!briefing) return pages.length + queries.length > 0 ? citePages(pages, queries) : PLAIN
  const { readable, absent } = briefing
  const passages = [...briefing.passages, ...queries.map(({ id }) => id)]
  const answer = citeAnswer({ passages, before: briefing.cited, absent })
  return {
    push: answer.push,
    end: answer.end,
    absent: () => (answer.isAnswered() ? null : absent),
    cited: answer.cited,
    sources: () => answer.cited().flatMap((id) => [...sourceOf(readable, id), ...sourcesOf(queries, id)]),
    ...createCheck((leaf) => ({
      answer: leaf.textSoFar(),
      passages: new Map([
        ...[...readable].map(([id, passage]) => [id, passage.text] as const),
        ...queries.map(({ id, text }) => [id, text] as const),
      ]),
    })),
  }
}

/** Creates citations of web pages and queries, and drops numbers that match none. */
function citePages(pages: readonly NamedPage[], queries: readonly NamedQuery[]): CitedText {
  const byUrl = new Map(pages.map((page) => [page.url, page]))
  const citer = createCiter([...byUrl.keys(), ...queries.map(({ id }) => id)], {
    tag: (id, number) => {
      const page = byUrl.get(id)
      return page ? websourceTag(id, page.title, number) : citationTag(id, number)
    },
  })
  const sourcesOfPage = (id: string): FoundSource[] => {
    const page = byUrl.get(id)
    return page ? [{ id, url: id, title: page.title, snippet: page.snippet }] : []
  }
  return {
    ...PLAIN,
    push: citer.push,
    end: citer.end,
    sources: () =>
      [...citer.cited().keys()].flatMap((id) => [...sourcesOfPage(id), ...sourcesOf(queries, id)]),
  }
}

function sourcesOf(queries: readonly NamedQuery[], id: string): FoundSource[] {
  const found = queries.find((query) => query.id === id)
  return found ? [{ id, title: found.query.database, url: null, query: found.query }] : []
}

function sourceOf(readable: Briefing['readable'], id: string): FoundSource[] {
  const passage = readable.get(id)
  if (!passage) return []
  const { document_id, document_name, heading_path, page_number, stands: place } = passage
  const stands = { document_id, document_name, heading_path, page_number, place }
  return [{ id, title: document_name, url: null, passage: stands }]
}
