import type { Import } from '#shared/lifecycle/imports/imports.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { StepHead } from './import-steps.tsx'
import { useImportActions } from './use-imports.ts'

/** A job reads, imports or undoes. */
export function ImportProgress({ one }: { one: Import }) {
  const { t } = useTranslation('imports')
  const { stopping, removing, error } = useImportActions(one.id)
  const { id: _, state, done, total, added, problems } = one
  const isImporting = state === 'importing'
  const text = state === 'reading' ? t('progress.reading_text', { name: one.name }) : t('progress.text')
  return (
    <>
      <StepHead step={state === 'reading' ? 'source' : 'import'} title={t(`progress.${state}`)} text={text} />
      <div className="mt-6 rounded-card border border-line p-5">
        <p className="num flex min-h-9 flex-wrap items-baseline gap-x-2 text-ink-2" role="status">
          {state !== 'undoing' && (
            <>
              <span className="text-28 font-semibold tracking-[-0.025em] text-ink">{formatNumber(done)}</span>
              {isImporting && total !== null
                ? t('progress.of', { count: total, total: formatNumber(total) })
                : t('progress.read', { count: done })}
            </>
          )}
          {state === 'undoing' && t('progress.undoing_text')}
        </p>
        <div className="mt-3">
          <ProgressBar label={t(`progress.${state}`)} value={isImporting ? done : null} max={total ?? 1} />
        </div>
        {isImporting && (
          <p className="num mt-3 min-h-5 text-13 text-ink-3">
            {t('progress.added', {
              chats: formatNumber(added.chats),
              messages: formatNumber(added.messages),
            })}
          </p>
        )}
      </div>
      {error && (
        <Callout tone="danger" className="mt-4">
          {errorText(t, error)}
        </Callout>
      )}
      <div className="mt-5 flex flex-wrap items-center gap-2">
        <span className="flex-1 text-13 text-ink-2">
          {problems > 0 && t('progress.problems', { count: problems })}
        </span>
        {state === 'reading' && (
          <Button busy={removing.isPending} onClick={() => removing.mutate()}>
            {t('common:actions.cancel')}
          </Button>
        )}
        {isImporting && (
          <Button busy={stopping.isPending} onClick={() => stopping.mutate()}>
            {t('progress.stop')}
          </Button>
        )}
      </div>
    </>
  )
}

/** A bar; without a value it only says that something is under way. */
export function ProgressBar({ label, value, max }: { label: string; value: number | null; max: number }) {
  return (
    <progress
      className="block h-1.5 w-full accent-accent"
      aria-label={label}
      max={Math.max(1, max)}
      {...(value !== null && { value })}
    />
  )
}
