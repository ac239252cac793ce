import { useId, useState } from 'react'
import { type InstalledModels, installModel } from '#shared/knowledge/installed-models/installed-models.ts'
import {
  DEFAULT_HUB,
  SUGGESTED_MODELS,
  type SuggestedModel,
} from '#shared/knowledge/installed-models/suggested-models.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { Input } from '../../platform/ui/input.tsx'
import { readModelsAgain } from './use-installed-models.ts'

/** Multilingual models, which one click installs from a hub or its mirror. */
export function SuggestedModels({ installed: { models } }: { installed: InstalledModels }) {
  const { t } = useTranslation('admin')
  const title = useId()
  const [hub, setHub] = useState(DEFAULT_HUB)
  const isThere = ({ kind, name }: SuggestedModel) =>
    models.some((one) => one.kind === kind && one.name === name && one.state !== 'failed')
  const offered = SUGGESTED_MODELS.filter((one) => !isThere(one))
  if (offered.length === 0) return null
  return (
    <section aria-labelledby={title} className="mt-4">
      <h3 id={title} className="text-14 font-semibold">
        {t('installed.suggested')}
      </h3>
      <p className="mt-1 mb-3 text-13 text-ink-2">{t('installed.suggested_about')}</p>
      <Field label={t('installed.hub')} hint={t('installed.hub_hint')}>
        <Input type="url" value={hub} autoComplete="off" onChange={(event) => setHub(event.target.value)} />
      </Field>
      <ul className="mt-3 rounded-card border border-line">
        {offered.map((model) => (
          <Suggested key={model.name} model={model} hub={hub} />
        ))}
      </ul>
    </section>
  )
}

function Suggested({ model, hub }: { model: SuggestedModel; hub: string }) {
  const { t } = useTranslation('admin')
  const { name, kind, licence, bytes, sums } = model
  const { run, isPending, error } = useAction(
    () =>
      call(installModel, { body: { kind, name, source: { suggested: name, hub: hub.trim() }, sums: '' } }),
    () => void readModelsAgain(),
  )
  return (
    <li className="grid gap-2 border-t border-line px-4 py-3 text-13 first:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 flex-1">
          <span className="block truncate text-14 font-medium">{name}</span>
          <span className="num block text-12 text-ink-2">
            {[t(`installed.kind.${kind}`), sizeText(t, bytes), licence].join(' · ')}
          </span>
          <span className="num block truncate text-12 text-ink-2" title={sums.model}>
            SHA-256 {sums.model}
          </span>
        </span>
        <Button
          size="sm"
          busy={isPending}
          disabled={hub.trim() === ''}
          aria-label={t('installed.begin_it', { name })}
          onClick={() => void run()}
        >
          {t('installed.begin')}
        </Button>
      </div>
      {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
    </li>
  )
}
