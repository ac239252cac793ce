import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import * as contract from '#shared/api/channels/channels.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Choice, Segment } from '../../platform/ui/choices/segments.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { CloudFields } from './cloud-fields.tsx'
import { type Draft, SecretFields } from './secret-fields.tsx'
import { useCompanies, useSaveChannel, useTestChannel } from './use-channels.ts'

type ChannelFormProps = {
  /** Null: a new one. */
  channel: contract.Channel | null
  onBack: () => void
  onSaved: (saved: contract.Channel) => void
}

/** Connects Slack or Teams, or changes a connection. Saving tests it first. */
export function ChannelForm({ channel, onBack, onSaved }: ChannelFormProps) {
  const { t } = useTranslation('channels')
  const { data: companies = [] } = useCompanies()
  const [draft, setDraft] = useState<Draft>(() => startDraft(channel))
  const save = useSaveChannel(channel?.id ?? null, onSaved)
  const test = useTestChannel(channel?.id ?? null)
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    test.reset()
    save.reset()
  }
  const sent = { ...draft, company_id: draft.company_id || (companies[0]?.id ?? '') }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate(sent)
  }
  const error = save.error ?? test.error
  const fields = { draft, isNew: channel === null, onChange: change }
  const chooseKind = (kind: Draft['kind']) => {
    const hasOwnName = draft.name !== t(`kinds.${draft.kind}`)
    change({ kind, address: '', ...(!hasOwnName && { name: t(`kinds.${kind}`) }) })
  }
  return (
    <form onSubmit={submit} className="grid max-w-180 gap-4">
      <div className="admin-head mb-0!">
        <h2>{channel ? channel.name : t('connect')}</h2>
        <span className="flex-1" />
        <Button variant="ghost" icon={<ArrowLeft aria-hidden className="icon" />} onClick={onBack}>
          {t('back')}
        </Button>
      </div>
      {!channel && (
        <div>
          <Choice name={t('kind')}>
            {contract.ChannelKind.options.map((kind) => (
              <Segment key={kind} isOn={draft.kind === kind} onClick={() => chooseKind(kind)}>
                {t(`kinds.${kind}`)}
              </Segment>
            ))}
          </Choice>
        </div>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <Field label={t('name')}>
          <Input
            required
            maxLength={100}
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        </Field>
        <Field label={t('company')} hint={t('company_hint')}>
          <Select
            value={sent.company_id}
            options={companies.map(({ id, name }) => ({ value: id, label: name }))}
            onValueChange={(company_id) => change({ company_id })}
          />
        </Field>
      </div>
      <SecretFields {...fields} />
      <CloudFields {...fields} />
      {channel && (
        <Checkbox label={t('is_on')} checked={draft.is_on} onCheckedChange={(is_on) => change({ is_on })} />
      )}
      <p className="text-13 text-ink-2">{t(`needs.${draft.kind}`)}</p>
      {test.data && (
        <Callout tone="success" title={t('accepted')}>
          {test.data.workspace} · {test.data.bot}
        </Callout>
      )}
      {error && (
        <Callout tone="danger" title={t('refused')}>
          {errorText(t, error)}
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={save.isPending}>
          {t(channel ? 'save' : 'test_and_connect')}
        </Button>
        <Button busy={test.isPending} onClick={() => test.mutate(sent)}>
          {t('test')}
        </Button>
      </div>
    </form>
  )
}

function startDraft(channel: contract.Channel | null): Draft {
  if (!channel)
    return {
      ...{ kind: 'slack', name: 'Slack', company_id: '', address: '', is_on: true },
      ...{ app_id: '', tenant_id: '', issuer: '', graph: '', services: [] },
    }
  const { kind, name, company, address, is_on, app_id, tenant_id, issuer, graph, services } = channel
  return { kind, name, company_id: company.id, address, is_on, app_id, tenant_id, issuer, graph, services }
}
