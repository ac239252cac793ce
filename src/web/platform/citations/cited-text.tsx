import { useMemo } from 'react'
import type { Doubt } from '#shared/platform/citations/doubts.ts'
import type { CitedQuery, PassagePlace } from '#shared/platform/citations/passages.ts'
import { Markdown, type MarkdownProps } from '../markdown/markdown.tsx'
import { Citation } from './citation.tsx'
import { CitedContext, type CitedPage, sentencesOf } from './cited.ts'
import { DoubtMark } from './doubt-mark.tsx'
import { NoSourceNote } from './no-source-note.tsx'
import { usePassageWays } from './open-passage.ts'
import { PreviewLink } from './preview-link.tsx'
import './citations.css'

const NONE: ReadonlyMap<string, CitedPage> = new Map()
const NO_QUERIES: ReadonlyMap<string, CitedQuery> = new Map()

type CitedTextProps = Pick<MarkdownProps, 'text' | 'growing' | 'custom' | 'className'> & {
  /** Passages by chunk id. */
  passages: ReadonlyMap<string, PassagePlace>
  /** Web pages by address. */
  pages?: ReadonlyMap<string, CitedPage> | undefined
  /** Queries of databases by the id of their execution. */
  queries?: ReadonlyMap<string, CitedQuery> | undefined
  doubts?: readonly Doubt[] | undefined
}

/** Markdown text whose numbers open their sources, and whose doubtful sentences are marked. */
export function CitedText({
  passages,
  pages = NONE,
  queries = NO_QUERIES,
  doubts,
  growing = false,
  ...rest
}: CitedTextProps) {
  const ways = usePassageWays()
  const sentences = useMemo(() => (doubts ? sentencesOf(doubts) : undefined), [doubts])
  const cited = useMemo(
    () => ({ ...ways, passages, pages, queries, doubts: sentences ?? [], isGrowing: growing }),
    [ways, passages, pages, queries, sentences, growing],
  )
  return (
    <CitedContext value={cited}>
      {doubts?.some(({ kind }) => kind === 'no_source') && <NoSourceNote />}
      <Markdown
        {...rest}
        growing={growing}
        Citation={Citation}
        marks={sentences}
        Mark={DoubtMark}
        Link={PreviewLink}
      />
    </CitedContext>
  )
}
