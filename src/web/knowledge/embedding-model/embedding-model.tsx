import { Search } from 'lucide-react'
import { useState } from 'react'
import {
  cancelEmbeddingChange,
  type EmbeddingBuild,
  type EmbeddingModelState,
} from '#shared/knowledge/embedding-model/embedding-model.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate, formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { readAgain, useEmbeddingModel } from './use-embedding-model.ts'

/** The embedding model of the library, and its change. */
export function EmbeddingModel() {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useEmbeddingModel()
  return (
    <section aria-label={t('embedding.title')} className="mt-8">
      <h2 className="text-18 font-semibold">{t('embedding.title')}</h2>
      <p className="mt-1 mb-3 text-13 text-ink-2">{t('embedding.about')}</p>
      {isPending && <Skeletons className="grid" sizes={['h-14']} />}
      {error && (
        <Callout
          tone="danger"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              {t('models.retry')}
            </Button>
          }
        >
          {errorText(t, error)}
        </Callout>
      )}
      {data && <Facts state={data} />}
    </section>
  )
}

function Facts({ state }: { state: EmbeddingModelState }) {
  const { t } = useTranslation('admin')
  const [chosen, setChosen] = useState<string | null>(null)
  const { model, passages, building, kept, offered } = state
  const isMonolingual = offered.some(({ id, is_monolingual }) => id === model && is_monolingual)
  return (
    <div className="rounded-card border border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
        <Search aria-hidden className="icon flex-none text-ink-3" />
        <span className="min-w-0 flex-1 basis-56">
          <span className="block truncate text-14 font-medium">{model}</span>
          <span className="num block text-12 text-ink-2">
            {t('embedding.passages', { count: passages, number: formatNumber(passages) })}
          </span>
          {isMonolingual && <span className="block text-12 text-ink-2">{t('embedding.one_language')}</span>}
        </span>
        <Button disabled={building !== null} onClick={() => setChosen('')}>
          {t('embedding.change')}
        </Button>
      </div>
      {building && <Building build={building} />}
      {kept && !building && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-3 text-13 text-ink-2">
          <span className="min-w-0 flex-1">
            {t('embedding.kept', { model: kept.model, date: formatDate(kept.until) })}
          </span>
          <Button size="sm" onClick={() => setChosen(kept.model)}>
            {t('embedding.back')}
          </Button>
        </div>
      )}
      {chosen !== null && <ChangeDialog state={state} first={chosen} onClose={() => setChosen(null)} />}
    </div>
  )
}

function Building({ build }: { build: EmbeddingBuild }) {
  const { t } = useTranslation('admin')
  const [isAsked, setAsked] = useState(false)
  const cancel = useAction(
    () => call(cancelEmbeddingChange, {}),
    () => {
      setAsked(false)
      void readAgain()
    },
  )
  const { model, done, total, standstill } = build
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
  const text = t('embedding.progress', { done: formatNumber(done), total: formatNumber(total) })
  return (
    <div className="grid gap-2 border-t border-line px-4 py-3 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 flex-1">
          {t('embedding.building', { model })} <span className="num text-ink-2">{text}</span>
        </span>
        <Button size="sm" onClick={() => setAsked(true)}>
          {t('models.cancel')}
        </Button>
      </div>
      <div
        role="progressbar"
        aria-label={t('embedding.building', { model })}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
        className="h-1 overflow-hidden rounded-full bg-surface-3"
      >
        <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
      {standstill && (
        <Callout tone="warning" title={t('embedding.standstill')}>
          {standstill}
        </Callout>
      )}
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('embedding.cancel_title')}
        message={
          <>
            {t('embedding.cancel_text')}
            {cancel.error !== null && (
              <span role="alert" className="mt-2 block text-danger">
                {errorText(t, cancel.error)}
              </span>
            )}
          </>
        }
        confirmLabel={t('embedding.cancel')}
        busy={cancel.isPending}
        onConfirm={() => void cancel.run()}
      />
    </div>
  )
}
