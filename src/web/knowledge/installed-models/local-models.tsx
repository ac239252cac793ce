import { Cpu, Plus } from 'lucide-react'
import { useState } from 'react'
import {
  type InstalledModels as Installed,
  installModel,
  type OfferedChatModel,
} from '#shared/knowledge/installed-models/installed-models.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { InstallDialog } from './install-dialog.tsx'
import { ModelRow } from './model-row.tsx'
import { readModelsAgain, useInstalledModels } from './use-installed-models.ts'

/** Chat models that run on the server: the installed ones, and a short list of offers. */
export function LocalModels() {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  const { data, isPending } = useInstalledModels()
  if (isPending) return <Loading />
  if (!data) return null
  const { engine, offers } = data
  const own = data.models.filter(({ kind }) => kind === 'chat')
  const left = offers.filter(({ name }) => own.every((model) => model.name !== name))
  const isPossible = engine.state !== 'unsupported'
  return (
    <section id="local" aria-label={t('local.title')} className="mt-8">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-18 font-semibold">{t('local.title')}</h2>
        <span className="flex-1" />
        {isPossible && (
          <Button icon={<Plus aria-hidden className="icon" />} onClick={() => setOpen(true)}>
            {t('local.other')}
          </Button>
        )}
      </div>
      <p className="mt-1 mb-3 text-13 text-ink-2">
        {t('local.about')} {engine.state === 'missing' && t('local.engine')}
      </p>
      {!isPossible && <Callout tone="neutral">{t('local.unsupported')}</Callout>}
      {isPossible && (
        <ul className="rounded-card border border-line">
          {own.map((model) => (
            <ModelRow key={model.name} model={model} />
          ))}
          {left.map((offer) => (
            <OfferRow key={offer.name} offer={offer} engine={engine} />
          ))}
        </ul>
      )}
      {isOpen && <InstallDialog installed={data} given="chat" onClose={() => setOpen(false)} />}
    </section>
  )
}

/** Holds the place of the list, so that what follows does not move. */
function Loading() {
  const { t } = useTranslation('admin')
  return (
    <section aria-busy="true" aria-label={t('local.title')} className="mt-8">
      <h2 className="mb-3 text-18 font-semibold">{t('local.title')}</h2>
      <Skeletons className="grid gap-2" sizes={['h-10', 'h-14', 'h-14', 'h-14', 'h-14', 'h-14']} />
    </section>
  )
}

/** An offered model, which one click installs. */
function OfferRow({ offer, engine }: { offer: OfferedChatModel; engine: Installed['engine'] }) {
  const { t } = useTranslation('admin')
  const { name, title, address, sha256, memory_bytes } = offer
  const install = useAction(
    () => call(installModel, { body: { kind: 'chat', name, source: { address }, sums: sha256 } }),
    () => void readModelsAgain(),
  )
  const isTooLarge = memory_bytes > engine.memory_bytes
  return (
    <li className="grid gap-2 border-t border-line px-4 py-3 text-13 first:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Cpu aria-hidden className="icon-18 text-ink-3 max-md:hidden" />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2 text-14 font-medium">
            {title}
            {isTooLarge && <Badge tone="warning">{t('local.too_large')}</Badge>}
          </span>
          <span className="num block text-12 text-ink-2">{describeOffer(t, offer)}</span>
        </span>
        <Button
          size="sm"
          aria-label={t('local.install_it', { name: title })}
          disabled={isTooLarge}
          busy={install.isPending}
          onClick={() => void install.run()}
        >
          {t('installed.begin')}
        </Button>
      </div>
      {install.error !== null && <Callout tone="danger">{errorText(t, install.error)}</Callout>}
    </li>
  )
}

function describeOffer(t: TFunction<'admin'>, offer: OfferedChatModel): string {
  const { bytes, licence, calls_tools, memory_bytes, tokens_per_second } = offer
  const speed = tokens_per_second && roundSpeed(tokens_per_second)
  return [
    sizeText(t, bytes),
    t('local.licence', { licence }),
    t('local.many_languages'),
    t(calls_tools ? 'local.tools' : 'local.no_tools'),
    t('local.memory', { size: sizeText(t, memory_bytes) }),
    ...(speed ? [t('local.speed_expected', { count: speed, number: formatNumber(speed) })] : []),
  ].join(' · ')
}

/** A slow machine writes less than a token a second. */
const roundSpeed = (speed: number): number => (speed < 1 ? Math.round(10 * speed) / 10 : Math.round(speed))
