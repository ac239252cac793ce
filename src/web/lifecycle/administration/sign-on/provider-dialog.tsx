import { useId, useState } from 'react'
import type { ProviderKind, StoredProvider } from '#shared/identity/accounts/sign-on-providers.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { LdapFields } from './ldap-fields.tsx'
import { OidcFields } from './oidc-fields.tsx'
import { bodyOf, type Draft, draftOf, type FieldsProps, newDraft, problemsOf } from './provider-draft.ts'
import { RuleFields } from './rule-fields.tsx'
import { SamlFields } from './saml-fields.tsx'
import { TestReport } from './test-report.tsx'
import { useSaveProvider, useTestProvider } from './use-providers.ts'

type ProviderDialogProps = {
  id: string
  kind: ProviderKind
  /** Null for a new one. */
  provider: StoredProvider | null
  /** Start of the addresses to register. */
  address: string
  onClose: () => void
}

/** The form of a provider, which ends with a test of what it says. */
export function ProviderDialog({ id, kind, provider, address, onClose }: ProviderDialogProps) {
  const { t } = useTranslation('admin')
  const form = useId()
  const [draft, setDraft] = useState<Draft>(() => (provider ? draftOf(provider) : newDraft(kind)))
  const [isChecked, setChecked] = useState(false)
  const saving = useSaveProvider(id, onClose)
  const testing = useTestProvider(id)
  const problems = problemsOf(draft, provider?.secret_set_at != null)
  const refused = [saving.error, testing.error].find((error) => isApiError(error, 422))
  const errorOf = (path: string) => {
    const problem = isChecked ? problems.get(path) : undefined
    if (problem) return t(`administration.sign_on.wrong.${problem}`)
    return isApiError(refused) ? refused.fields.find((one) => one.path === path)?.message : undefined
  }
  const change = (next: Partial<Draft>) => {
    testing.reset()
    saving.reset()
    setDraft({ ...draft, ...next })
  }
  const submit = (act: (draft: Draft) => void) => {
    setChecked(true)
    if (problems.size === 0) act(draft)
  }
  const failure = saving.error ?? testing.error
  const secretHint = provider?.secret_set_at
    ? t('administration.sign_on.secret_set', {
        date: formatDate(provider.secret_set_at, { dateStyle: 'long' }),
      })
    : undefined
  const common = {
    ...{
      name: draft.name,
      secret: draft.secret,
      secretHint,
      address: address + id,
      errorOf,
      onDraft: change,
    },
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t(`administration.sign_on.kind.${kind}`)}
      size="md"
      atTop
      footer={
        <>
          <span className="mr-auto self-center text-12 text-ink-3">
            {t(`administration.sign_on.note.${kind}`)}
          </span>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={saving.isPending}>
            {t('administration.save')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-4 pt-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!saving.isPending) submit(saving.mutate)
        }}
      >
        <KindFields draft={draft} common={common} onChange={change} />
        <Behaviour draft={draft} onChange={change} />
        <RuleFields rules={draft.rules} onChange={(rules) => change({ rules })} />
        <TestReport
          result={testing.data}
          isBusy={testing.isPending}
          onTest={() => !testing.isPending && submit(testing.mutate)}
        />
        {failure && (
          <Callout tone="danger" title={t('administration.sign_on.refused')}>
            {errorText(t, failure)}
          </Callout>
        )}
      </form>
    </Dialog>
  )
}

type Common = Omit<FieldsProps<never>, 'settings' | 'onChange'>

function KindFields({
  draft: { settings },
  common,
  onChange,
}: {
  draft: Draft
  common: Common
  onChange: (change: Partial<Draft>) => void
}) {
  if (settings.kind === 'oidc')
    return (
      <OidcFields
        {...common}
        settings={settings}
        onChange={(next) => onChange({ settings: { ...settings, ...next } })}
      />
    )
  if (settings.kind === 'saml')
    return (
      <SamlFields
        {...common}
        settings={settings}
        onChange={(next) => onChange({ settings: { ...settings, ...next } })}
      />
    )
  return (
    <LdapFields
      {...common}
      settings={settings}
      onChange={(next) => onChange({ settings: { ...settings, ...next } })}
    />
  )
}

function Behaviour({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  const { t } = useTranslation('admin')
  const { is_enabled, trusts_addresses } = bodyOf(draft)
  return (
    <fieldset className="grid justify-items-start gap-2">
      <legend className="mb-2 text-13 font-medium">{t('administration.sign_on.behaviour')}</legend>
      <Checkbox
        className="text-13"
        label={t('administration.sign_on.in_use')}
        checked={is_enabled}
        onCheckedChange={(next) => onChange({ is_enabled: next })}
      />
      <Checkbox
        className="text-13"
        label={t('administration.sign_on.trusts')}
        checked={trusts_addresses}
        onCheckedChange={(next) => onChange({ trusts_addresses: next })}
      />
      <p className="-mt-1.5 pl-6 text-12 text-ink-3">{t('administration.sign_on.trusts_hint')}</p>
    </fieldset>
  )
}
