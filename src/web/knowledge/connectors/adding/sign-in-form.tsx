import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { createConnector } from '#shared/knowledge/connectors/connectors.ts'
import { signInConnector } from '#shared/knowledge/connectors/sign-in.ts'
import { type Settings, type Source, trySource } from '#shared/knowledge/connectors/sources.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { nameOfSource } from '../connector-words.ts'
import { type OwnCompany, useConnectable } from '../use-connectable.ts'
import { noteConnector } from '../use-connectors.ts'
import {
  emptyAccess,
  emptySelection,
  emptySettings,
  type SignedIn,
  toReaders,
  toSelection,
} from './connector-draft.ts'
import { SourceFields } from './source-fields.tsx'

type Props = { source: Source; onSignedIn: (signedIn: SignedIn) => void }

/** For whom a source is connected, its name and its sign-in, which is tried before anything is read. */
export function SignInForm({ source, onSignedIn }: Props) {
  const { t } = useTranslation('connectors')
  const { companies, mayAddPersonal } = useConnectable()
  const canBePersonal = source.personal && mayAddPersonal
  const [settings, setSettings] = useState(() => emptySettings(source))
  const [name, setName] = useState(() => nameOfSource(t, source.id))
  const [owner, setOwner] = useState<string | null>(null)
  const companyId = owner ?? (canBePersonal ? '' : (companies[0]?.id ?? ''))
  const trial = { source: source.id, settings, company_id: companyId || null }
  const { run, isPending, data, error } = useAction(
    () => call(trySource, { body: trial }),
    ({ ok }) => ok && onSignedIn({ trial: { ...trial, key: crypto.randomUUID() }, name: name.trim() }),
  )
  const company = companies.find(({ id }) => id === companyId) ?? null
  const leaving = useLeaving(source)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (source.signs_in) leaving.mutate({ name: name.trim(), settings, company })
    else void run()
  }
  const failure = error ?? leaving.error
  const refusal = failure ? errorText(t, failure) : data && !data.ok && (data.error ?? t('sign_in.refused'))
  return (
    <form onSubmit={submit} className="grid max-w-[560px] gap-4">
      <Field label={t('for')} hint={t(companyId ? 'for_company_hint' : 'for_me_hint')}>
        <Select
          value={companyId}
          options={[
            ...(canBePersonal ? [{ value: '', label: t('for_me') }] : []),
            ...companies.map(({ id, name: label }) => ({ value: id, label })),
          ]}
          onValueChange={setOwner}
        />
      </Field>
      <Field label={t('name')}>
        <Input value={name} maxLength={100} required onChange={({ target }) => setName(target.value)} />
      </Field>
      <SourceFields source={source} settings={settings} onChange={setSettings} />
      {refusal && (
        <Callout tone="danger" title={t('sign_in.failed')}>
          {refusal}
        </Callout>
      )}
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={isPending || leaving.isPending}
          disabled={name.trim() === ''}
        >
          {source.signs_in ? t('sign_in.go', { source: nameOfSource(t, source.id) }) : t('sign_in.test')}
        </Button>
      </div>
    </form>
  )
}

type NewConnector = { name: string; settings: Settings; company: OwnCompany | null }

/** Creates a connector and goes to the sign-in page of its source. */
function useLeaving(source: Source) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ name, settings, company }: NewConnector) => {
      const { readers, ...access } = emptyAccess(source, company)
      const content = { name, settings, selection: toSelection(emptySelection), readers: toReaders(readers) }
      const body = {
        ...{ ...access, ...content, source: source.id },
        ...{ company_id: company?.id ?? null, start: false },
      }
      const made = await call(createConnector, { body })
      noteConnector(made)
      try {
        const { url } = await call(signInConnector, { params: { connectorId: made.id } })
        location.assign(url)
      } catch {
        // The page of the connector offers the sign-in again.
        void navigate({ to: `/documents/connectors/${made.id}` as '/documents' })
      }
    },
  })
}
