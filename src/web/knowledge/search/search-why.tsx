import { CircleCheck, CircleMinus } from 'lucide-react'
import { useState } from 'react'
import { explainSearch } from '#shared/knowledge/search/explain.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Select } from '../../platform/ui/select.tsx'
import type { requestOf } from './search-form.ts'

type Props = {
  /** The executed search. */
  request: ReturnType<typeof requestOf>
  /** Passages of the current document, in order. */
  chunks: readonly { id: string; text: string }[]
}

/** Characters of a passage shown in one line. */
const SHOWN = 60

/** The rank of a passage in each stage of a search, and where it was dropped. */
export function SearchWhy({ request, chunks }: Props) {
  const { t } = useTranslation('vectors')
  const [chunk_id, setChunk] = useState(chunks[0]?.id ?? '')
  const { run, isPending, data, error } = useAction(() =>
    call(explainSearch, { body: { ...request, chunk_id } }),
  )
  if (chunks.length === 0) return null
  const Icon = data?.outcome === 'returned' ? CircleCheck : CircleMinus
  return (
    <section aria-label={t('why.title')} className="grid gap-3 rounded-card border border-line bg-raised p-4">
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t('why.title')} className="min-w-0 flex-1 basis-60">
          <Select
            value={chunk_id}
            onValueChange={setChunk}
            options={chunks.map(({ id, text }, at) => ({
              value: id,
              label: `${at + 1} · ${text.slice(0, SHOWN)}`,
            }))}
          />
        </Field>
        <Button busy={isPending} onClick={() => void run()}>
          {t('why.ask')}
        </Button>
      </div>
      {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      {data && (
        <div role="status" className="grid gap-2 text-13">
          <p className="flex items-start gap-2 font-medium">
            <Icon aria-hidden className="icon mt-0.5 flex-none text-ink-2" />
            {t(`why.outcomes.${data.outcome}`, { limit: request.limit, top: request.top_n })}
          </p>
          {data.stages.length > 0 && (
            <dl className="num grid grid-cols-[minmax(0,1fr)_auto_72px] gap-x-4 gap-y-1">
              {data.stages.map(({ stage, rank, score, of }) => (
                <div key={stage} className="contents">
                  <dt className="text-ink-2">
                    {t(`why.stages.${stage}`)}
                    {stage === 'reranking' && data.reranker && ` · ${data.reranker}`}
                  </dt>
                  <dd>
                    {rank === null
                      ? t('why.not_among', { of: formatNumber(of) })
                      : t('why.rank', { rank: formatNumber(rank), of: formatNumber(of) })}
                  </dd>
                  <dd className="text-right">
                    {score === null
                      ? '–'
                      : formatNumber(score, { minimumFractionDigits: 3, maximumFractionDigits: 3 })}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      )}
    </section>
  )
}
