import { type FormEvent, useState } from 'react'
import type { Settings } from '#shared/knowledge/connectors/sources.ts'
import type { PickWay } from '#shared/knowledge/file-picks/file-picks.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { LoadFailure } from '../../platform/ui/states/load-failure.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { Spinner } from '../../platform/ui/states/spinner.tsx'
import { iconOfSource, SourceFields } from '../connectors/connectors.ts'
import { FileBrowser } from './file-browser.tsx'
import { type Chosen, type Failed, usePicking } from './use-picking.ts'

/** Files that can be chosen together. */
const MAX_CHOSEN = 20

type Props = { sessionId: string; left: string | null; onClose: () => void }

/** Signs in to a source, shows its files, and adds the chosen ones to the chat. */
export function PickerDialog({ sessionId, left, onClose }: Props) {
  const { t } = useTranslation('file_picks')
  const picking = usePicking(sessionId, left, onClose)
  const { way, pick, adding, close, choose } = picking
  const [chosen, setChosen] = useState<Chosen[]>([])
  const shared = { open: true, onOpenChange: (open: boolean) => open || close(), size: 'md' as const }
  const name = way ? t(`connectors:picks.${way.id}.name`, { defaultValue: way.id }) : ''
  if (adding) {
    const again = adding.name === null && (
      <Button variant="primary" onClick={() => picking.add(adding.failed)}>
        {t('common:actions.retry')}
      </Button>
    )
    return (
      <Dialog {...shared} title={t('title')} footer={again}>
        <AddingFiles name={adding.name} failed={adding.failed} />
      </Dialog>
    )
  }
  if (way && pick)
    return (
      <Dialog
        {...shared}
        atTop
        title={t('files_of', { name })}
        description={t('browse', { count: MAX_CHOSEN })}
        footer={
          <Button variant="primary" disabled={chosen.length === 0} onClick={() => picking.add(chosen)}>
            {t('add', { count: chosen.length })}
          </Button>
        }
      >
        <FileBrowser pickId={pick.id} name={name} chosen={chosen} most={MAX_CHOSEN} onChange={setChosen} />
      </Dialog>
    )
  if (way)
    return (
      <Dialog {...shared} title={name} description={t(`connectors:picks.${way.id}.consent`)}>
        <SignInForm
          way={way}
          isBusy={picking.isBeginning}
          error={picking.beginError}
          onBack={() => choose(null)}
          onSend={picking.begin}
        />
      </Dialog>
    )
  return (
    <Dialog {...shared} title={t('title')} description={t('ways')}>
      {picking.note && (
        <Callout tone="warning" className="mt-3">
          {t(`state.${picking.note}`)}
        </Callout>
      )}
      {picking.arrivalError && (
        <Callout tone="danger" className="mt-3">
          {errorText(t, picking.arrivalError)}
        </Callout>
      )}
      <WayList ways={picking.ways} onChoose={choose} />
    </Dialog>
  )
}

type WayListProps = { ways: ReturnType<typeof usePicking>['ways']; onChoose: (way: PickWay) => void }

function WayList({ ways: { data, error, refetch }, onChoose }: WayListProps) {
  const { t } = useTranslation('file_picks')
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeletons sizes={['h-11 w-full', 'h-11 w-full']} />
  return (
    <div className="grid gap-2 pt-3">
      <ul className="grid gap-2">
        {data.items.map((way) => {
          const Icon = iconOfSource(way.source)
          return (
            <li key={way.id}>
              <Button
                wide
                className="justify-start"
                size="lg"
                onClick={() => onChoose(way)}
                icon={<Icon aria-hidden className="icon" />}
              >
                {t(`connectors:picks.${way.id}.name`, { defaultValue: way.id })}
              </Button>
            </li>
          )
        })}
      </ul>
      {data.items.every(({ signs_in }) => !signs_in) && (
        <p className="text-12 text-ink-3">{t('not_set_up')}</p>
      )}
    </div>
  )
}

type SignInProps = {
  way: PickWay
  isBusy: boolean
  error: unknown
  onBack: () => void
  onSend: (settings: Settings) => void
}

function SignInForm({ way, isBusy, error, onBack, onSend }: SignInProps) {
  const { t } = useTranslation('file_picks')
  const [settings, setSettings] = useState<Settings>({})
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) onSend(settings)
  }
  return (
    <form onSubmit={send} className="grid gap-4 pt-3">
      <SourceFields
        source={{ id: way.source, fields: way.fields }}
        settings={settings}
        onChange={setSettings}
      />
      {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>{t('common:actions.back')}</Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          {t(way.signs_in ? 'sign_in' : 'connect')}
        </Button>
      </div>
    </form>
  )
}

function AddingFiles({ name, failed }: { name: string | null; failed: readonly Failed[] }) {
  const { t } = useTranslation('file_picks')
  if (name !== null)
    return (
      <p role="status" className="flex items-center gap-2 pt-3 text-13">
        <Spinner className="icon" />
        <span className="min-w-0 truncate">{t('adding', { name })}</span>
      </p>
    )
  return (
    <Callout tone="danger" title={t('failed')} className="mt-3">
      <ul>
        {failed.map((file) => (
          <li key={file.id}>
            {file.name && <span dir="auto">{file.name}: </span>}
            {errorText(t, file.error)}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
