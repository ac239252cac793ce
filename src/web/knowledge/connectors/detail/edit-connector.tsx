import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Connector, changeConnector } from '#shared/knowledge/connectors/connectors.ts'
import type { Source } from '#shared/knowledge/connectors/sources.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { AccessFields } from '../adding/access-fields.tsx'
import {
  accessOf,
  isComplete,
  type Trial,
  toDraft,
  toReaders,
  toSelection,
} from '../adding/connector-draft.ts'
import { CountBox } from '../adding/count-box.tsx'
import { SelectionFields } from '../adding/selection-fields.tsx'
import { SourceFields } from '../adding/source-fields.tsx'
import { useCount } from '../adding/use-trial.ts'
import { useConnectable } from '../use-connectable.ts'
import { noteConnector, useSources } from '../use-connectors.ts'

/** The settings of a connector. Only changed fields are sent. */
export function EditConnector({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { data } = useSources()
  const source = data?.items.find(({ id }) => id === connector.source)
  if (!data) return <Skeletons className="grid gap-3 pt-4" sizes={['h-8 w-80', 'h-8 w-80']} />
  if (!source) return <Callout className="mt-4">{t('source_gone')}</Callout>
  return <SettingsForm connector={connector} source={source} />
}

type FormProps = { connector: Connector; source: Source }

function SettingsForm({ connector, source }: FormProps) {
  const { t } = useTranslation('connectors')
  const { id, company_id } = connector
  const company = useConnectable().companies.find((one) => one.id === company_id) ?? null
  const [name, setName] = useState(connector.name)
  const [settings, setSettings] = useState(connector.settings)
  const [selection, setSelection] = useState(() => toDraft(connector.selection))
  const [access, setAccess] = useState(() => accessOf(connector))
  const [trialKey] = useState(() => crypto.randomUUID())
  const trial: Trial = { key: trialKey, source: source.id, settings: {}, company_id, connector_id: id }
  const isChosen = isComplete(selection)
  const isNarrowed = isChanged(toSelection(selection), toSelection(toDraft(connector.selection)))
  const {
    count,
    error: countError,
    retry,
  } = useCount(trial, isChosen && isNarrowed ? toSelection(selection) : null)
  const saving = useMutation({
    mutationFn: () => {
      const readers = toReaders(access.readers)
      const changes = {
        ...(name.trim() !== connector.name && { name: name.trim() }),
        ...(isChanged(settings, connector.settings) && { settings }),
        ...(isNarrowed && { selection: toSelection(selection) }),
        ...(isChanged(readers, toReaders(accessOf(connector).readers)) && { readers }),
        ...(access.every_minutes !== connector.every_minutes && { every_minutes: access.every_minutes }),
      }
      return call(changeConnector, { params: { connectorId: id }, body: changes })
    },
    onSuccess: (saved) => {
      noteConnector(saved)
      setSettings(saved.settings)
      void toast.success(t('saved'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChosen && name.trim() !== '' && !saving.isPending) saving.mutate()
  }
  return (
    <form
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)_320px] items-start gap-6 pt-5 max-lg:grid-cols-1"
    >
      <div className="grid grid-cols-1 gap-4">
        <Field label={t('name')}>
          <Input value={name} maxLength={100} required onChange={({ target }) => setName(target.value)} />
        </Field>
        <SourceFields source={source} settings={settings} stored={connector.secrets} onChange={setSettings} />
        <SelectionFields source={source} trial={trial} selection={selection} onChange={setSelection} />
      </div>
      <div className="grid grid-cols-1 gap-6">
        {(isNarrowed || !isChosen) && (
          <CountBox count={count} error={countError} retry={retry} isComplete={isChosen} />
        )}
        <AccessFields source={source} company={company} access={access} hasFixedRights onChange={setAccess} />
        {saving.error && (
          <Callout tone="danger" title={t('save_failed')}>
            {errorText(t, saving.error)}
          </Callout>
        )}
        <div>
          <Button
            type="submit"
            variant="primary"
            disabled={!isChosen || name.trim() === ''}
            busy={saving.isPending}
          >
            {t('save')}
          </Button>
        </div>
      </div>
    </form>
  )
}

const isChanged = (next: object, before: object) => JSON.stringify(next) !== JSON.stringify(before)
