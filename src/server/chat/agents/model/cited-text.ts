import { websourceTag } from '#shared/platform/citations/citation-tags.ts'
import { createCiter } from '#shared/platform/citations/citer.ts'
import type { FoundSource } from '#shared/runs/runs/sources.ts'
import { type Briefing, checkCited, citeAnswer } from '../../../knowledge/rag/rag.ts'
import type { NamedPage } from '../../../knowledge/web-search/web-search.ts'
import type { Leaf } from '../../../runs/runs/runs.ts'

/** What a text relies on and what is shown of it, while it is said. */
export type CitedText = {
  /** Takes what a model says and gives what is shown of it. */
  push: (delta: string) => string
  end: () => string
  /** What stands in place of what the model said, when the documents do not have it; else null. */
  absent: () => string | null
  /** Passages the message cites by now, in the order of their numbers; undefined where there are none to cite. */
  cited: () => string[] | undefined
  sources: () => FoundSource[]
  /** Says what the passages do not bear out, once the text is over. */
  check: (leaf: Leaf) => void
}

/** Without passages a text is shown as it is said. */
const PLAIN: CitedText = {
  push: (delta) => delta,
  ...{ end: () => '', absent: () => null, cited: () => undefined, sources: () => [], check: () => undefined },
}

export function createCitedText(briefing: Briefing | null, pages: readonly NamedPage[]): CitedText {
  if (!briefing) return pages.length > 0 ? citePages(pages) : PLAIN
  const { passages, readable, absent } = briefing
  const answer = citeAnswer({ passages, before: briefing.cited, absent })
  return {
    push: answer.push,
    end: answer.end,
    absent: () => (answer.isAnswered() ? null : absent),
    cited: answer.cited,
    sources: () => answer.cited().flatMap((id) => sourceOf(readable, id)),
    check: (leaf) => {
      const text = leaf.textSoFar()
      const texts = new Map([...readable].map(([id, passage]) => [id, passage.text]))
      leaf.emit({ event: 'response_checked', doubts: checkCited(text, texts) })
    },
  }
}

/** A text whose numbers stand for pages of the web; those that stand for none are left out. */
function citePages(pages: readonly NamedPage[]): CitedText {
  const byUrl = new Map(pages.map((page) => [page.url, page]))
  const citer = createCiter([...byUrl.keys()], {
    tag: (url, number) => websourceTag(url, byUrl.get(url)?.title ?? '', number),
  })
  const cited = () => [...citer.cited().keys()].flatMap((url) => byUrl.get(url) ?? [])
  return {
    ...PLAIN,
    push: citer.push,
    end: citer.end,
    sources: () => cited().map(({ url, title, snippet }) => ({ id: url, url, title, snippet })),
  }
}

function sourceOf(readable: Briefing['readable'], id: string): FoundSource[] {
  const passage = readable.get(id)
  if (!passage) return []
  const { document_id, document_name, heading_path, page_number, stands: place } = passage
  const stands = { document_id, document_name, heading_path, page_number, place }
  return [{ id, title: document_name, url: null, passage: stands }]
}
