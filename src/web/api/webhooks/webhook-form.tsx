import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  createWebhook,
  updateWebhook,
  type Webhook,
  type WebhookEvent,
  webhookEvents,
} from '#shared/api/webhooks/webhooks.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { FormDialog } from '../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { WebhookSecret } from './webhook-secret.tsx'
import { eventText } from './webhook-words.ts'

type FormProps = { webhook?: Webhook; onSaved: () => void; onClose: () => void }

/** Creates or edits a webhook. Shows the secret of a new one once. */
export function WebhookForm({ webhook, onSaved, onClose }: FormProps) {
  const { t } = useTranslation('programs')
  const [draft, setDraft] = useState(() => draftOf(webhook))
  const [wasSent, setSent] = useState(false)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const saving = useMutation({
    mutationFn: () => save(webhook, draft),
    onSuccess: (secret) => {
      onSaved()
      if (secret === null) onClose()
    },
  })
  const wrong = {
    name: draft.name.trim() === '' && t('webhooks.form.no_name'),
    url: !/^https?:\/\/\S+$/.test(draft.url) && t('webhooks.form.bad_address'),
    events: draft.events.length === 0 && t('webhooks.form.no_event'),
  }
  const shown = (reason: string | false) => (wasSent && reason) || undefined
  const submit = () => {
    setSent(true)
    if (!wrong.name && !wrong.url && !wrong.events) saving.mutate()
  }
  if (saving.data) return <WebhookSecret secret={saving.data} onClose={onClose} />
  return (
    <FormDialog
      size="md"
      title={webhook ? t('webhooks.form.change_title') : t('webhooks.form.title')}
      send={webhook ? t('webhooks.form.save') : t('webhooks.create')}
      busy={saving.isPending}
      onSend={submit}
      onClose={onClose}
    >
      <Field label={t('keys.form.name')} error={shown(wrong.name)}>
        <Input value={draft.name} maxLength={80} onChange={({ target }) => change({ name: target.value })} />
      </Field>
      <Field label={t('webhooks.form.address')} error={shown(wrong.url)}>
        <Input
          type="url"
          value={draft.url}
          maxLength={2_000}
          placeholder="https://"
          onChange={({ target }) => change({ url: target.value.trim() })}
        />
      </Field>
      {!webhook && <Whose value={draft.company} onValueChange={(company) => change({ company })} />}
      <Events chosen={draft.events} onChoose={(events) => change({ events })} error={shown(wrong.events)} />
      {webhook && (
        <Checkbox
          checked={draft.is_on}
          onCheckedChange={(is_on) => change({ is_on })}
          label={t('webhooks.form.on')}
        />
      )}
      {saving.error && (
        <Callout tone="danger" title={t('webhooks.form.failed')}>
          {errorText(t, saving.error)}
        </Callout>
      )}
    </FormDialog>
  )
}

type Draft = { name: string; url: string; events: WebhookEvent[]; company: string; is_on: boolean }

function draftOf(webhook: Webhook | undefined): Draft {
  const { name = '', url = '', events = atFirst, is_on = true } = webhook ?? {}
  return { name, url, events, company: '', is_on }
}

/** Saves the webhook. Returns the secret of a new one. */
async function save(
  webhook: Webhook | undefined,
  { company, is_on, ...rest }: Draft,
): Promise<string | null> {
  if (webhook) {
    await call(updateWebhook, { params: { webhookId: webhook.id }, body: { ...rest, is_on } })
    return null
  }
  return (await call(createWebhook, { body: { ...rest, company_id: company || null } })).secret
}

/** Selects the user's own events or those of a company they administer. Hidden when they administer none. */
function Whose({ value, onValueChange }: { value: string; onValueChange: (company: string) => void }) {
  const { t } = useTranslation('programs')
  const administered = (useMe()?.company_affiliations ?? []).filter(({ role }) => role.name !== 'member')
  if (administered.length === 0) return null
  const own = { value: '', label: t('webhooks.form.mine') }
  const companies = administered.map(({ company: { id, name } }) => ({
    value: id,
    label: t('webhooks.form.of_company', { company: name }),
  }))
  return (
    <Field label={t('webhooks.form.whose')}>
      <Select value={value} onValueChange={onValueChange} options={[own, ...companies]} />
    </Field>
  )
}

type EventsProps = {
  chosen: WebhookEvent[]
  onChoose: (events: WebhookEvent[]) => void
  error: string | undefined
}

function Events({ chosen, onChoose, error }: EventsProps) {
  const { t } = useTranslation('programs')
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-13 font-medium">{t('webhooks.form.events')}</legend>
      {webhookEvents.map((event) => (
        <Checkbox
          key={event}
          checked={chosen.includes(event)}
          onCheckedChange={(on) =>
            onChoose(webhookEvents.filter((one) => (one === event ? on : chosen.includes(one))))
          }
          label={eventText(t, event)}
        />
      ))}
      {error && <p className="text-12 text-danger">{error}</p>}
    </fieldset>
  )
}

/** Events of a new webhook. Notifications repeat the others for one person, so they are chosen by hand. */
const atFirst = webhookEvents.filter((event) => event !== 'notification.created')
