import { useState } from 'react'
import type { AuditReceiverKind, AuditStream } from '#shared/identity/audit-stream/audit-stream.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Checkbox } from '../../../../platform/ui/checkbox.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { FormDialog } from '../../../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../../../platform/ui/select.tsx'
import { StreamSecret } from './stream-secret.tsx'
import { type StreamDraft, useSetAuditStream } from './use-audit-stream.ts'

const kinds = ['https', 'syslogs', 'syslog'] as const satisfies AuditReceiverKind[]
const firsts = ['oldest', 'newest'] as const
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i

type Draft = Omit<StreamDraft, 'address'> & { kind: AuditReceiverKind; place: string }

/** Sets the receiver of the audit log. Shows the secret of a new one once. */
export function StreamForm({ stream, onClose }: { stream: AuditStream | null; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const [draft, setDraft] = useState(() => draftOf(stream))
  const [wasSent, setSent] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const isWeb = draft.kind === 'https'
  const saving = useSetAuditStream((made) => (made !== null && isWeb ? setSecret(made) : onClose()))
  const isBad = isWeb ? !/^https?:\/\/\S+$/.test(draft.place) : !HOST.test(draft.place)
  const submit = () => {
    setSent(true)
    const { kind, place, ...rest } = draft
    if (!isBad) saving.mutate({ ...rest, address: isWeb ? place : `${kind}://${place}` })
  }
  if (secret !== null) return <StreamSecret secret={secret} onClose={onClose} />
  return (
    <FormDialog
      size="md"
      title={t('audit.stream.form_title')}
      send={t('audit.stream.save')}
      busy={saving.isPending}
      onSend={submit}
      onClose={onClose}
    >
      <Field label={t('audit.stream.kind')}>
        <Select
          value={draft.kind}
          options={kinds.map((value) => ({ value, label: t(`audit.stream.kinds.${value}`) }))}
          onValueChange={(kind) => change({ kind: kind as AuditReceiverKind, place: '' })}
        />
      </Field>
      <Field
        label={t(isWeb ? 'audit.stream.address' : 'audit.stream.host')}
        error={wasSent && isBad ? t(isWeb ? 'audit.stream.bad_address' : 'audit.stream.bad_host') : undefined}
      >
        <Input
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          value={draft.place}
          maxLength={1_900}
          placeholder={isWeb ? 'https://' : ''}
          onChange={({ target }) => change({ place: target.value.trim() })}
        />
      </Field>
      {!stream && (
        <Field label={t('audit.stream.starts')}>
          <Select
            value={draft.starts}
            options={firsts.map((value) => ({ value, label: t(`audit.stream.starts_${value}`) }))}
            onValueChange={(starts) => change({ starts: starts === 'newest' ? 'newest' : 'oldest' })}
          />
        </Field>
      )}
      <Checkbox
        checked={draft.is_on}
        onCheckedChange={(is_on) => change({ is_on })}
        label={t('audit.stream.is_on')}
      />
      {saving.error && (
        <Callout tone="danger" title={t('audit.stream.failed')}>
          {errorText(t, saving.error)}
        </Callout>
      )}
    </FormDialog>
  )
}

function draftOf(stream: AuditStream | null): Draft {
  const { kind = 'https', address = '', is_on = true } = stream ?? {}
  const place = kind === 'https' ? address : address.replace(/^syslogs?:\/\//, '')
  return { kind, place, is_on, starts: 'oldest' }
}
