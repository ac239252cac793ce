import { useMutation } from '@tanstack/react-query'
import { Cpu } from 'lucide-react'
import { useState } from 'react'
import {
  changeInstalledModel,
  type InstalledModel,
  removeInstalledModel,
  tryInstalledModel,
} from '#shared/knowledge/installed-models/installed-models.ts'
import { FallbackSelect } from '../../models/connections/connections.tsx'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { readModelsAgain } from './use-installed-models.ts'

/** One model: its purpose, the result of its test, and its installation progress or error. */
export function ModelRow({ model }: { model: InstalledModel }) {
  const { t } = useTranslation('admin')
  const [isAsked, setAsked] = useState(false)
  const { kind, name, state, problem, is_used } = model
  const params = { kind, modelName: name }
  const attempt = useAction(
    () => call(tryInstalledModel, { params }),
    () => void readModelsAgain(),
  )
  const change = useMutation({
    mutationFn: (fallback: string) =>
      call(changeInstalledModel, { params, body: { fallback: fallback || null } }),
    onSuccess: readModelsAgain,
  })
  const remove = useAction(
    () => call(removeInstalledModel, { params }),
    () => {
      setAsked(false)
      void readModelsAgain()
    },
  )
  return (
    <li className="grid gap-2 border-t border-line px-4 py-3 text-13 first:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {kind === 'chat' && <Cpu aria-hidden className="icon-18 text-ink-3 max-md:hidden" />}
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2 text-14 font-medium">
            <span className="truncate">{model.id}</span>
            {is_used && <Badge tone="success">{t('installed.used')}</Badge>}
            {state === 'failed' && <Badge tone="danger">{t('installed.failed')}</Badge>}
          </span>
          <span className="num block text-12 text-ink-2">{describe(t, model)}</span>
        </span>
        {state === 'ready' && kind === 'chat' && (
          <FallbackSelect
            model={model}
            value={model.fallback ?? ''}
            onValueChange={(fallback) => change.mutate(fallback)}
          />
        )}
        {state === 'ready' && (
          <Button size="sm" busy={attempt.isPending} onClick={() => void attempt.run()}>
            {t('installed.try')}
          </Button>
        )}
        <Button
          size="sm"
          disabled={is_used}
          aria-label={t(state === 'installing' ? 'installed.stop_it' : 'installed.remove_it', { name })}
          onClick={() => setAsked(true)}
        >
          {t(state === 'installing' ? 'installed.stop' : 'installed.remove')}
        </Button>
      </div>
      {state === 'installing' && <Progress model={model} />}
      {problem !== null && <Callout tone={state === 'failed' ? 'danger' : 'warning'}>{problem}</Callout>}
      {attempt.error !== null && <Callout tone="danger">{errorText(t, attempt.error)}</Callout>}
      {change.error !== null && <Callout tone="danger">{errorText(t, change.error)}</Callout>}
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('installed.remove_title', { name })}
        message={
          <>
            {t(kind === 'chat' ? 'local.remove_text' : 'installed.remove_text')}
            {remove.error !== null && (
              <span role="alert" className="mt-2 block text-danger">
                {errorText(t, remove.error)}
              </span>
            )}
          </>
        }
        confirmLabel={t('installed.remove')}
        busy={remove.isPending}
        onConfirm={() => void remove.run()}
      />
    </li>
  )
}

function Progress({ model: { name, bytes, of_bytes } }: { model: InstalledModel }) {
  const { t } = useTranslation('admin')
  const percent = of_bytes ? Math.min(100, Math.floor((100 * bytes) / of_bytes)) : 0
  return (
    <div
      role="progressbar"
      aria-label={t('installed.installing', { name })}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1 overflow-hidden rounded-full bg-surface-3"
    >
      <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
    </div>
  )
}

function describe(t: TFunction<'admin'>, { kind, state, trial, bytes, of_bytes }: InstalledModel): string {
  const facts = [t(`installed.kind.${kind}`)]
  if (state === 'installing' && of_bytes && bytes >= of_bytes) facts.push(t('installed.trying'))
  else if (state === 'installing' && of_bytes)
    facts.push(t('installed.so_far', { done: sizeText(t, bytes), total: sizeText(t, of_bytes) }))
  if (state === 'installing' && !of_bytes)
    facts.push(t(kind === 'chat' ? 'local.engine_waiting' : 'installed.waiting'))
  if (trial?.dimensions) facts.push(t('embedding.dimensions', { number: formatNumber(trial.dimensions) }))
  if (trial && kind === 'chat') {
    facts.push(t('local.window', { number: formatNumber(trial.max_tokens) }))
    const speed = Math.round(10_000 / trial.milliseconds) / 10
    facts.push(t('local.speed', { count: speed, number: formatNumber(speed) }))
  } else if (trial) {
    facts.push(t('installed.tokens', { number: formatNumber(trial.max_tokens) }))
    facts.push(t('installed.speed', { number: formatNumber(Math.max(1, Math.round(trial.milliseconds))) }))
  }
  if (state === 'ready' && !trial) facts.push(t('installed.untried'))
  return facts.join(' · ')
}
