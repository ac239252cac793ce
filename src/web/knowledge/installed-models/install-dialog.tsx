import { type FormEvent, useId, useState } from 'react'
import {
  type InstalledModels,
  installModel,
  MAX_SUMS,
  type ModelKind,
  ModelName,
} from '#shared/knowledge/installed-models/installed-models.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Choice, Segment } from '../../platform/ui/choices/segments.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { Input, Textarea } from '../../platform/ui/input.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { UploadField } from './upload-field.tsx'
import { readModelsAgain } from './use-installed-models.ts'

type Props = {
  installed: InstalledModels
  /** Restricts the dialog to one kind; without it, every kind but chat models is offered. */
  given?: ModelKind
  onClose: () => void
}
type Origin = 'folder' | 'address' | 'upload'

/** Installs a model from a folder of the server, an address or an upload, with its checksums. */
export function InstallDialog({ installed, given, onClose }: Props) {
  const { t } = useTranslation('admin')
  const form = useId()
  const { waiting_place, most_bytes, most_chat_bytes } = installed
  const waiting = installed.waiting.filter((one) => (one.kind === 'chat') === (given === 'chat'))
  const [kind, setKind] = useState<ModelKind>(given ?? waiting[0]?.kind ?? 'embedding')
  const [origin, setOrigin] = useState<Origin>(waiting.length > 0 ? 'folder' : 'address')
  const isFolder = origin === 'folder'
  const isChat = kind === 'chat'
  const [chosen, setChosen] = useState(waiting[0]?.name ?? '')
  const [address, setAddress] = useState('')
  const [typed, setName] = useState<string | null>(null)
  const [sums, setSums] = useState('')
  const folder = waiting.find(({ name }) => name === chosen)
  const name = (typed ?? (isFolder ? chosen : nameOf(address))).trim()
  const { run, isPending, error } = useAction(
    () => {
      const source = isFolder ? { folder: chosen } : { address: address.trim() }
      return call(installModel, { body: { kind, name, source, sums } })
    },
    () => {
      void readModelsAgain()
      onClose()
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run()
  }
  const needsSums = !(isFolder && folder?.has_sums)
  const isWhole = isFolder ? folder?.problem === null : origin === 'address' && address.trim() !== ''
  const isReady = isWhole && ModelName.safeParse(name).success && (!needsSums || sums.trim() !== '')
  return (
    <Dialog
      open
      atTop
      onOpenChange={(open) => !open && !isPending && onClose()}
      title={t('installed.install_title')}
      description={t(isChat ? 'local.install_about' : 'installed.install_about', {
        size: sizeText(t, isChat ? most_chat_bytes : most_bytes),
      })}
      footer={
        <>
          <Button onClick={onClose}>{t('models.cancel')}</Button>
          <Button variant="primary" type="submit" form={form} busy={isPending} disabled={!isReady}>
            {t('installed.begin')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="grid gap-3.5 pt-3">
        <div className="flex flex-wrap gap-2">
          {!given && (
            <Choice name={t('installed.what_for')}>
              {(['embedding', 'reranker'] as const).map((one) => (
                <Segment key={one} isOn={kind === one} onClick={() => setKind(one)}>
                  {t(`installed.kind.${one}`)}
                </Segment>
              ))}
            </Choice>
          )}
          <Choice name={t('installed.from')}>
            <Segment isOn={isFolder} onClick={() => setOrigin('folder')}>
              {t('installed.from_folder')}
            </Segment>
            <Segment isOn={origin === 'address'} onClick={() => setOrigin('address')}>
              {t('installed.from_address')}
            </Segment>
            {isChat && (
              <Segment isOn={origin === 'upload'} onClick={() => setOrigin('upload')}>
                {t('local.from_upload')}
              </Segment>
            )}
          </Choice>
        </div>
        {isFolder && waiting.length === 0 && (
          <Callout tone="neutral">{t('installed.no_folder', { place: waiting_place })}</Callout>
        )}
        {isFolder && waiting.length > 0 && (
          <Field label={t('installed.folder')} error={folder?.problem}>
            <Select
              value={chosen}
              onValueChange={setChosen}
              options={waiting.map((one) => ({
                value: one.name,
                label: `${one.name} · ${sizeText(t, one.bytes)}`,
              }))}
            />
          </Field>
        )}
        {origin === 'upload' && (
          <UploadField
            onUploaded={(name) => {
              setChosen(name)
              setOrigin('folder')
            }}
          />
        )}
        {origin === 'address' && (
          <Field
            label={t('installed.address')}
            hint={t(isChat ? 'local.address_hint' : 'installed.address_hint')}
          >
            <Input
              type="url"
              value={address}
              autoComplete="off"
              onChange={(event) => setAddress(event.target.value)}
            />
          </Field>
        )}
        <Field label={t('installed.name')} hint={kind === 'reranker' ? t('installed.name_hint') : undefined}>
          <Input value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field
          label={t('installed.sums')}
          hint={t(isChat ? 'local.sums_hint' : 'installed.sums_hint')}
          optional={!needsSums}
        >
          <Textarea
            rows={2}
            maxLength={MAX_SUMS}
            spellCheck={false}
            value={sums}
            onChange={(event) => setSums(event.target.value)}
          />
        </Field>
        {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      </form>
    </Dialog>
  )
}

/** Returns the model name in a publisher's address: `…/NAME/resolve/main`, or the last folder. */
function nameOf(address: string): string {
  const parts = address.trim().split(/[?#]/)[0]?.split('/').filter(Boolean) ?? []
  const at = parts.indexOf('resolve')
  const name = (at > 0 ? parts[at - 1] : parts.slice(2).at(-1)) ?? ''
  return ModelName.safeParse(name).success ? name : ''
}
