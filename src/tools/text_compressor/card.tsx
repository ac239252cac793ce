import { CircleCheck, FoldVertical } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import { CitedText, DocumentCarousel } from '../../web/platform/citations/citations.ts'
import {
  type CardBodyProps,
  formatMoney,
  formatNumber,
  type TFunction,
  type ToolCardParts,
  useTranslation,
} from '../../web/platform/ui/card-parts.ts'
import { Field } from '../../web/platform/ui/field.tsx'
import { Textarea } from '../../web/platform/ui/input.tsx'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'
import { Progress } from './progress.tsx'
import { type Compression, readCompression } from './read-compression.ts'

const card: ToolCardParts = {
  ...{ Icon: FoldVertical, summarise: intentOf, Body: Compressor, edits: ['intent'] },
  Empty: Nothing,
  explain: (error, _, t) =>
    error.startsWith('There is nothing to read') ? t('text_compressor.nothing_to_read') : null,
}

export default card

function Compressor({ status, input, result, events, onInput }: CardBodyProps) {
  const { t } = useTranslation('tool_ui')
  const work = useMemo(
    () => readCompression(events, status === 'done' ? result : null),
    [status, result, events],
  )
  const intent = intentOf(input)
  const ids = idsOf(input)
  const isEmpty = status === 'input' && intent === '' && ids.length === 0
  return (
    <div className="grid min-w-0 gap-3">
      {isEmpty && <Nothing />}
      <Field label={t('text_compressor.inputs.intent.name')}>
        <Textarea
          rows={1}
          className={status === 'input' ? '' : 'min-h-0! resize-none!'}
          value={intent}
          disabled={status !== 'input'}
          readOnly={!onInput}
          placeholder={t('text_compressor.inputs.intent.text')}
          onChange={({ target }) => onInput?.({ intent: target.value })}
        />
      </Field>
      {status === 'running' && <Progress work={work} />}
      {status === 'done' && <Read work={work} />}
      {work.response !== '' && <Response work={work} isRunning={status === 'running'} />}
      <Sources ids={ids} work={work} />
      {status === 'running' && work.prep && <p className="num text-12 text-ink-3">{sayPrep(work.prep, t)}</p>}
    </div>
  )
}

/** Shown before there is anything to read. */
function Nothing() {
  const { t } = useTranslation('tool_ui')
  return (
    <p className="flex items-center gap-2 text-13 text-ink-2">
      <FoldVertical aria-hidden className="icon text-ink-3" />
      {t('text_compressor.empty')}
    </p>
  )
}

function Read({ work: { result } }: { work: Compression }) {
  const { t } = useTranslation('tool_ui')
  if (!result) return null
  const { read, total } = result.coverage
  return (
    <p className="num flex items-center gap-1.5 text-12 text-ink-3">
      <CircleCheck
        aria-hidden
        className={`icon-14 flex-none ${read === total ? 'text-success' : 'text-warning'}`}
      />
      <span>
        <b className="font-medium text-ink-2">
          {t('text_compressor.percent_read', {
            percent: total === 0 ? 100 : Math.floor((100 * read) / total),
          })}
        </b>
        {', '}
        {t('text_compressor.coverage', {
          count: total,
          read: formatNumber(read),
          total: formatNumber(total),
        })}
      </span>
    </p>
  )
}

function Response({ work, isRunning }: { work: Compression; isRunning: boolean }) {
  const { response, result } = work
  const passages = useMemo(
    () => new Map((result?.passages ?? []).map((one) => [one.chunk_id, one])),
    [result],
  )
  return (
    <CitedText
      text={response}
      passages={passages}
      doubts={result?.doubts ?? []}
      growing={isRunning}
      className="text-13"
    />
  )
}

function Sources({ ids, work }: { ids: readonly string[]; work: Compression }) {
  const { sources, response, result } = work
  const numbers = useMemo(() => firstNumbers(response, result), [response, result])
  const named = sources.length > 0 ? sources : ids.map((id) => ({ id, name: null }))
  if (named.length === 0) return null
  return (
    <Suspense fallback={<Skeleton className="h-[92px] rounded-card" />}>
      <DocumentCarousel documents={named} numbers={numbers} />
    </Suspense>
  )
}

/** Returns the first number by which each document is cited. */
function firstNumbers(response: string, result: Compression['result']): Map<string, number> {
  const documents = new Map((result?.passages ?? []).map((one) => [one.chunk_id, one.document_id]))
  const numbers = new Map<string, number>()
  for (const { chunk_id, number } of findCitations(response)) {
    const id = documents.get(chunk_id)
    if (id !== undefined && !numbers.has(id)) numbers.set(id, number)
  }
  return numbers
}

function sayPrep(
  { documents, size, overlap, dollars }: NonNullable<Compression['prep']>,
  t: TFunction,
): string {
  const parts = [
    ...(documents > 0
      ? [t('text_compressor.documents', { count: documents, shown: formatNumber(documents) })]
      : []),
    t(overlap === 0 ? 'text_compressor.chunks' : 'text_compressor.chunks_overlapping', {
      ...{ size: formatNumber(size), overlap: formatNumber(overlap) },
    }),
    ...(dollars === null || dollars === 0
      ? []
      : [t('text_compressor.cost', { amount: formatMoney(dollars) })]),
  ]
  return parts.join(' · ')
}

const fieldOf = (input: unknown, name: string): unknown =>
  typeof input === 'object' && input !== null
    ? Object.entries(input).find(([key]) => key === name)?.[1]
    : null

function intentOf(input: unknown): string {
  const intent = fieldOf(input, 'intent')
  return typeof intent === 'string' ? intent : ''
}

function idsOf(input: unknown): string[] {
  const ids = fieldOf(input, 'document_ids')
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}
