import { FileSearch, FileX } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import type { LeftOut } from '#shared/knowledge/documents/named-documents.ts'
import { RagPhase } from '#shared/knowledge/rag/rag.ts'
import {
  CitedText,
  DocumentCarousel,
  PassageCarousel,
  PhaseTrack,
} from '../../web/platform/citations/citations.ts'
import {
  type CardBodyProps,
  formatNumber,
  type TFunction,
  type ToolCardParts,
  useTranslation,
} from '../../web/platform/ui/card-parts.ts'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'
import { type Phases, readPhases } from './phases.ts'
import { readAnswer, readProgress, readShare } from './read-search.ts'

const card: ToolCardParts = { Icon: FileSearch, summarise: queryOf, Body: Search }

export default card

function Search({ status, input, result, events }: CardBodyProps) {
  const { t } = useTranslation('tool_ui')
  const isRunning = status === 'running'
  const query = queryOf(input)
  const search = useMemo(
    () => (status === 'done' ? readAnswer(result) : null) ?? readProgress(events, query),
    [status, result, events, query],
  )
  const { question, response, sources, searched, doubts, is_answered, left_out, coverage } = search
  const passages = useMemo(() => new Map(sources.map((one) => [one.chunk_id, one])), [sources])
  if (status === 'input')
    return (
      <div className="grid gap-3 text-13">
        <p className="text-ink-2">{query}</p>
        <Named ids={idsOf(input)} isShown />
      </div>
    )
  return (
    <div className="grid gap-3 text-13">
      {isRunning && <PhaseTrack phases={tracked(readPhases(events, false), readShare(events), t)} />}
      {question !== query && (
        <p className="text-12 text-ink-2">{t('document_search.searched_as', { question })}</p>
      )}
      {!is_answered && (
        <p className="flex items-center gap-2 font-medium">
          <FileX aria-hidden className="icon text-ink-3" />
          {t('document_search.absent')}
        </p>
      )}
      <Named ids={idsOf(input)} isShown={sources.length === 0} />
      {response !== '' && (
        <CitedText
          text={response}
          // Numbers appear after the end, because a model may still change them.
          passages={isRunning ? none : passages}
          doubts={doubts}
          growing={isRunning}
          className="text-13"
        />
      )}
      {sources.length > 0 && (
        <Suspense fallback={<Skeleton className="h-[154px] rounded-card" />}>
          <PassageCarousel passages={sources} answer={response} />
        </Suspense>
      )}
      {/* The answer itself says that everything was read. */}
      {coverage && coverage.read < coverage.total && (
        <p className="num text-12 text-ink-2">
          {t('document_search.not_all_read', {
            ...{ read: formatNumber(coverage.read), total: formatNumber(coverage.total) },
          })}
        </p>
      )}
      {searched && !coverage && (
        <p className="num text-12 text-ink-3">
          {t('document_search.searched', {
            documents: t('document_search.documents', {
              ...{ count: searched.documents, shown: formatNumber(searched.documents) },
            }),
            passages: t('document_search.passages', {
              ...{ count: searched.passages, shown: formatNumber(searched.passages) },
            }),
          })}
        </p>
      )}
      {left_out && <NotSearched {...left_out} />}
    </div>
  )
}

/** Shows the documents to search until there are passages; some may still be processing. */
function Named({ ids, isShown }: { ids: readonly string[]; isShown: boolean }) {
  if (!isShown || ids.length === 0) return null
  return (
    <Suspense fallback={<Skeleton className="h-[92px] rounded-card" />}>
      <DocumentCarousel documents={ids.map((id) => ({ id, name: null }))} numbers={noNumbers} />
    </Suspense>
  )
}

/** Lists documents that were not searched, because they are being processed or failed. */
function NotSearched(leftOut: LeftOut) {
  const { t } = useTranslation('tool_ui')
  return (['reading', 'failed'] as const).map((state) => {
    const { documents, names } = leftOut[state]
    if (documents === 0) return null
    const more = documents - names.length
    const list = [...names, ...(more > 0 ? [t('document_search.more', { count: more })] : [])].join(', ')
    return (
      <p key={state} className="text-12 text-ink-2">
        {t(`document_search.${state}`, { names: list })}
      </p>
    )
  })
}

const tracked = (phases: Phases, share: number | null, t: TFunction) =>
  RagPhase.options.map((id) => ({
    ...{ id, name: t(`document_search.phase.${id}`), status: phases[id] },
    note:
      id === 'RETRIEVAL' && share !== null ? t('document_search.reading_all', { percent: share }) : undefined,
  }))

const none = new Map()
const noNumbers = new Map<string, number>()

function idsOf(input: unknown): string[] {
  const ids = typeof input === 'object' && input !== null && 'document_ids' in input ? input.document_ids : []
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

function queryOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'query' in input ? String(input.query) : ''
}
