import { CircleCheck } from 'lucide-react'
import { readTrouble } from '#shared/models/connections/provider-trouble.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { troubleText } from '../../platform/i18n/trouble-text.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import type { ConnectionForm } from './use-connection-form.ts'

/** Result of a connection test: the listed models to select from, or the server's error message. */
export function TestResult({ form, canChoose }: { form: ConnectionForm; canChoose: boolean }) {
  const { t } = useTranslation('admin')
  const { test, isTested } = form
  if (test.isError)
    return (
      <Callout tone="danger" title={`${t('models.form.refused')}.`}>
        {errorText(t, test.error)}
      </Callout>
    )
  if (!test.data) return null
  const { ok, detail, latency_ms, models, lists_models } = test.data
  if (!ok && readTrouble(detail)?.kind === 'no_list')
    return <Callout tone="warning">{troubleText(t, detail)}</Callout>
  if (!ok)
    return (
      <Callout tone="danger" title={`${t('models.form.refused')}.`}>
        {troubleText(t, detail) ?? detail}
      </Callout>
    )
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <div
        role="status"
        className="flex flex-wrap items-center gap-2 border-b border-line bg-surface px-3.5 py-2.5 text-13"
      >
        <CircleCheck aria-hidden className="icon text-success" />
        <span className="font-medium">{t('models.form.answers')}</span>
        {latency_ms !== null && (
          <span className="num text-ink-3">{t('models.form.in_ms', { ms: Math.round(latency_ms) })}</span>
        )}
        <span className="num ml-auto text-12 text-ink-2">
          {isTested
            ? t(lists_models === false ? 'models.form.named' : 'models.form.found', { count: models.length })
            : t('models.form.stale')}
        </span>
      </div>
      {models.length > 0 && (
        <div className="max-h-60 overflow-y-auto py-1.5">
          {canChoose ? <Choices form={form} models={models} /> : <Names models={models} />}
        </div>
      )}
    </div>
  )
}

function Choices({
  form: { chosen, setChosen, isTested },
  models,
}: {
  form: ConnectionForm
  models: string[]
}) {
  const { t } = useTranslation('admin')
  const toggle = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    setChosen(next)
  }
  const isAll = models.every((name) => chosen.has(name))
  return (
    <ul>
      <li className="border-b border-line px-3.5 pb-1.5">
        <Checkbox
          className="text-12! text-ink-2"
          disabled={!isTested}
          label={t('models.form.choose_all')}
          checked={isAll}
          mixed={!isAll && chosen.size > 0}
          onCheckedChange={() => setChosen(isAll ? new Set() : new Set(models))}
        />
      </li>
      {models.map((name) => (
        <li key={name} className="px-3.5 py-1">
          <Checkbox
            disabled={!isTested}
            label={<span className="font-mono text-13 [overflow-wrap:anywhere]">{name}</span>}
            checked={chosen.has(name)}
            onCheckedChange={() => toggle(name)}
          />
        </li>
      ))}
    </ul>
  )
}

function Names({ models }: { models: string[] }) {
  return (
    <ul>
      {models.map((name) => (
        <li key={name} className="px-3.5 py-1 font-mono text-13 [overflow-wrap:anywhere]">
          {name}
        </li>
      ))}
    </ul>
  )
}
