import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createApiKey, MAX_BUDGET } from '#shared/identity/api-keys/api-keys.ts'
import { type Scope, scopes } from '#shared/platform/http.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { parseDecimal } from '../../platform/lib/money.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { FormDialog } from '../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { scopeDescription, scopeText } from './key-words.ts'
import { MadeKey } from './made-key.tsx'

const ends = ['30', '90', '365', 'never'] as const

/** Form for a new API key. Shows the secret once. */
export function NewKey({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const { t } = useTranslation('programs')
  const [name, setName] = useState('')
  const [days, setDays] = useState<string>('90')
  const [chosen, setChosen] = useState<Scope[]>(['chat', 'assistants'])
  const [budget, setBudget] = useState('')
  const [wasSent, setSent] = useState(false)
  const making = useMutation({
    mutationFn: () =>
      call(createApiKey, {
        body: {
          ...{ name, scopes: chosen, days: days === 'never' ? null : Number(days) },
          monthly_budget: parseDecimal(budget),
        },
      }),
    onSuccess: onMade,
  })
  const wrong = {
    name: name.trim() === '' && t('keys.form.no_name'),
    scopes: chosen.length === 0 && t('keys.form.no_scope'),
    budget: !isBudget(budget) && t('keys.form.bad_budget'),
  }
  const shown = (reason: string | false) => (wasSent && reason) || undefined
  const submit = () => {
    setSent(true)
    if (!wrong.name && !wrong.scopes && !wrong.budget) making.mutate()
  }
  if (making.data) return <MadeKey made={making.data.key} secret={making.data.secret} onClose={onClose} />
  return (
    <FormDialog
      size="md"
      title={t('keys.form.title')}
      send={t('keys.form.submit')}
      busy={making.isPending}
      onSend={submit}
      onClose={onClose}
    >
      <Field label={t('keys.form.name')} error={shown(wrong.name)}>
        <Input
          value={name}
          maxLength={80}
          placeholder={t('keys.form.name_placeholder')}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <Field label={t('keys.form.ends')}>
        <Select
          value={days}
          onValueChange={setDays}
          options={ends.map((value) => ({ value, label: t(`keys.form.days.${value}`) }))}
        />
      </Field>
      <Uses chosen={chosen} onChoose={setChosen} error={shown(wrong.scopes)} />
      <Field
        optional
        label={t('keys.form.budget')}
        hint={t('keys.form.budget_hint')}
        error={shown(wrong.budget)}
      >
        <Input inputMode="decimal" value={budget} onChange={({ target }) => setBudget(target.value)} />
      </Field>
      {making.error && (
        <Callout tone="danger" title={t('keys.form.failed')}>
          {errorText(t, making.error)}
        </Callout>
      )}
    </FormDialog>
  )
}

type UsesProps = { chosen: Scope[]; onChoose: (scopes: Scope[]) => void; error: string | undefined }

function Uses({ chosen, onChoose, error }: UsesProps) {
  const { t } = useTranslation('programs')
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-13 font-medium">{t('keys.form.uses')}</legend>
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          checked={chosen.includes(scope)}
          onCheckedChange={(on) =>
            onChoose(scopes.filter((one) => (one === scope ? on : chosen.includes(one))))
          }
          label={
            <>
              {scopeText(t, scope)} <span className="text-12 text-ink-3">{scopeDescription(t, scope)}</span>
            </>
          }
        />
      ))}
      {error && <p className="text-12 text-danger">{error}</p>}
    </fieldset>
  )
}

function isBudget(text: string): boolean {
  const amount = parseDecimal(text)
  return text.trim() === '' || (amount !== null && amount >= 0 && amount <= MAX_BUDGET)
}
