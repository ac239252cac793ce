import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useMemo, useState } from 'react'
import { readPassageWords } from '#shared/knowledge/rag/passage-words.ts'
import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import type { FoundPassage } from '#shared/platform/citations/passages.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/api/call.ts'
import { FileTile } from '../ui/files/file-tile.tsx'
import { Skeleton } from '../ui/states/skeleton.tsx'
import { TRUSTED_MS, usePassageWays } from './open-passage.ts'
import { placeWords } from './place-words.ts'
import { Strip } from './strip.tsx'

/** Pixels that one click scrolls the passages (ledger DS-01). */
const STEP_PX = 300
/** Maximum passages shown, in total and per file (ledger DS-09). */
const MAX_SHOWN = 10

type PassageCarouselProps = {
  passages: readonly FoundPassage[] /** The passages, and the answer that may cite them. */
  answer: string
}

/** The passages given to a model, side by side: cited ones first, each opens in its document. */
export default function PassageCarousel({ passages, answer }: PassageCarouselProps) {
  const { t } = useTranslation('streaming_blocks')
  const shown = useMemo(() => shownPassages(passages), [passages])
  const wordsOf = usePassageWords(shown)
  const numbers = useMemo(
    () => new Map(findCitations(answer).map(({ chunk_id, number }) => [chunk_id, number])),
    [answer],
  )
  if (shown.length === 0) return null
  const cited = shown.filter(({ used_in_response }) => used_in_response).length
  return (
    <Strip
      title={t('passages.title')}
      counts={t('passages.counts', { cited, read: shown.length })}
      stepOf={() => STEP_PX}
      edge={1}
    >
      {shown.map((passage) => (
        <PassageTile
          key={passage.chunk_id}
          passage={passage}
          number={numbers.get(passage.chunk_id)}
          words={wordsOf(passage.chunk_id)}
        />
      ))}
    </Strip>
  )
}

/** The text of a passage: null without access, undefined while loading. */
type Words = string | null | undefined

function usePassageWords(passages: readonly FoundPassage[]): (chunkId: string) => Words {
  const chunk_ids = passages.map(({ chunk_id }) => chunk_id)
  const { data } = useQuery({
    queryKey: ['passage-words', chunk_ids],
    queryFn: ({ signal }) => call(readPassageWords, { body: { chunk_ids }, signal }),
    enabled: chunk_ids.length > 0,
    ...{ staleTime: TRUSTED_MS, gcTime: TRUSTED_MS },
  })
  return (chunkId) =>
    data && (data.passages.find(({ chunk_id }) => chunk_id === chunkId)?.text_preview ?? null)
}

type PassageTileProps = { passage: FoundPassage; number: number | undefined; words: Words }

function PassageTile({ passage, number, words }: PassageTileProps) {
  const { t } = useTranslation('streaming_blocks')
  const { hrefOf, open } = usePassageWays()
  const [isRefused, setRefused] = useState(false)
  const isGone = isRefused || words === null
  const { chunk_id, document_name, used_in_response, heading_path } = passage
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void open(passage, chunk_id).then((isThere) => setRefused(!isThere))
  }
  return (
    <li className="flex flex-none">
      <a
        href={hrefOf(passage, chunk_id)}
        onClick={onClick}
        className="passage-tile"
        data-cited={used_in_response || undefined}
      >
        <span className="flex items-center gap-1.5 text-12 text-ink-2">
          <FileTile extension={extensionOf(document_name)} size="sm" />
          <span className="min-w-0 flex-1 truncate">{document_name}</span>
          {used_in_response && (
            <span className="cite">
              <span className="sr-only">{t('passages.cited')} </span>
              {number}
            </span>
          )}
        </span>
        <span dir="auto" role={isGone ? 'status' : undefined} className="passage-text">
          {isGone ? t('citation.gone') : (words ?? <Skeleton className="h-12 w-full" />)}
        </span>
        <span className="num truncate text-12 text-ink-3">
          {placeWords(t, passage) || heading_path.at(-1)}
        </span>
      </a>
    </li>
  )
}

/** Returns only passages with a rank (ledger DS-02): cited ones first, then by rank. */
export function shownPassages(passages: readonly FoundPassage[]): FoundPassage[] {
  return passages
    .filter(({ rank }) => rank !== null)
    .toSorted(
      (a, b) => Number(b.used_in_response) - Number(a.used_in_response) || (a.rank ?? 0) - (b.rank ?? 0),
    )
    .slice(0, MAX_SHOWN)
}
