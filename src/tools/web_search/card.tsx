import { Globe, SearchX } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import { WebPhase } from '#shared/knowledge/web-search/web-search.ts'
import { findMarkers } from '#shared/platform/citations/citation-tags.ts'
import { readPhasesOf } from '#shared/tools/tools/read-phases.ts'
import { CitedText, PageCarousel, PhaseTrack } from '../../web/platform/citations/citations.ts'
import {
  type CardBodyProps,
  type TFunction,
  type ToolCardParts,
  useTranslation,
} from '../../web/platform/ui/card-parts.ts'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'
import { queryOf, readSearch, type WebShown } from './read-search.ts'

const card: ToolCardParts = {
  ...{ Icon: Globe, summarise: queryOf, Body: Search },
  explain: (error, _, t) =>
    error.startsWith('No search engine answered') ? t('web_search.no_engine') : null,
}

export default card

function Search({ status, input, result, events }: CardBodyProps) {
  const { t } = useTranslation('tool_ui')
  const isRunning = status === 'running'
  const search = useMemo(
    () => readSearch(input, events, status === 'done' ? result : null),
    [status, input, result, events],
  )
  const { response, sources, doubts, is_answered, engine, failures, time_range } = search
  const pages = useMemo(() => new Map(sources.map((source) => [source.url, source])), [sources])
  const numbers = useMemo(
    () => new Map(findMarkers(response).map(({ id, number }) => [id, number])),
    [response],
  )
  if (status === 'input') return <p className="text-13 text-ink-2">{queryOf(input)}</p>
  return (
    <div className="grid gap-3 text-13">
      {isRunning && <PhaseTrack phases={tracked(search, readPhasesOf(WebPhase.options, events, false), t)} />}
      {!is_answered && (
        <p className="flex items-center gap-2 font-medium">
          <SearchX aria-hidden className="icon text-ink-3" />
          {t('web_search.absent')}
        </p>
      )}
      {response !== '' && (
        <CitedText
          {...{ text: response, passages: none, pages, doubts }}
          growing={isRunning}
          className="text-13"
        />
      )}
      {sources.length > 0 ? (
        <Suspense fallback={<Skeleton className="h-[116px] rounded-card" />}>
          <PageCarousel
            {...{ pages: sources, numbers }}
            aside={
              time_range && (
                <span className="inline-flex h-5.5 flex-none items-center rounded-pill border border-line px-2">
                  {t(`web_search.time_range.${time_range}`)}
                </span>
              )
            }
          />
        </Suspense>
      ) : (
        isRunning && <Skeleton className="h-[116px] rounded-card" />
      )}
      {engine && (
        <p className="text-12 text-ink-3">
          {t('web_search.answered_by', { engine: t(`web_search.engine.${engine}`) })}{' '}
          {failures.map((failure) => sayFailure(failure, t)).join(' ')}
        </p>
      )}
    </div>
  )
}

const none = new Map()

function tracked(
  { found, read, sources }: WebShown,
  phases: ReturnType<typeof readPhasesOf<WebPhase>>,
  t: TFunction,
) {
  const notes: Partial<Record<WebPhase, string>> = {
    ...(found === null ? {} : { WEB_SEARCH: t('web_search.found', { count: found }) }),
    ...(read === null ? {} : { SCRAPING_URLS: t('web_search.read', read) }),
    ...(sources.length > 0 ? { RERANKING: String(sources.length) } : {}),
  }
  return WebPhase.options.map((id) => ({
    ...{ id, name: t(`web_search.phase.${id}`), status: phases[id], note: notes[id] },
  }))
}

const sayFailure = ({ engine, reason }: WebShown['failures'][number], t: TFunction) =>
  t(`web_search.failure.${reason}`, { engine: t(`web_search.engine.${engine}`) })
