import { HardDrive, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { InstalledModels as Installed } from '#shared/knowledge/installed-models/installed-models.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { InstallDialog } from './install-dialog.tsx'
import { ModelRow } from './model-row.tsx'
import { SuggestedModels } from './suggested-models.tsx'
import { readModelsAgain, useInstalledModels } from './use-installed-models.ts'

/** The installed models, with a dialog to install another one. */
export function InstalledModels() {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  const { data, error, isPending, refetch } = useInstalledModels()
  const coming = data?.models.filter(({ state }) => state === 'installing').length ?? 0
  // A newly installed model changes the available choices.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect depends on the number of installations.
  useEffect(() => void readModelsAgain(), [coming])
  return (
    <section aria-label={t('installed.title')} className="mt-8">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-18 font-semibold">{t('installed.title')}</h2>
        <span className="flex-1" />
        <Button icon={<Plus aria-hidden className="icon" />} disabled={!data} onClick={() => setOpen(true)}>
          {t('installed.install')}
        </Button>
      </div>
      <p className="mt-1 mb-3 text-13 text-ink-2">{t('installed.about')}</p>
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
      {data && <Models installed={data} />}
      {data && <SuggestedModels installed={data} />}
      {isOpen && data && <InstallDialog installed={data} onClose={() => setOpen(false)} />}
    </section>
  )
}

function Models({ installed }: { installed: Installed }) {
  const { t } = useTranslation('admin')
  const models = installed.models.filter(({ kind }) => kind !== 'chat')
  if (models.length === 0)
    return (
      <div className="rounded-card border border-line">
        <EmptyState icon={<HardDrive aria-hidden />} title={t('installed.none')}>
          {t('installed.none_text')}
        </EmptyState>
      </div>
    )
  return (
    <ul className="rounded-card border border-line">
      {models.map((model) => (
        <ModelRow key={`${model.kind}/${model.name}`} model={model} />
      ))}
    </ul>
  )
}
