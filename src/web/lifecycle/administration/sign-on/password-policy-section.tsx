import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  getPasswordPolicy,
  MAX_AGE_DAYS,
  MAX_HISTORY,
  MAX_MIN_LENGTH,
  type PasswordPolicy,
  setPasswordPolicy,
} from '#shared/identity/accounts/password-policy.ts'
import { PASSWORD_MIN } from '#shared/identity/accounts/password-strength.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { ReadFailed } from '../read-failed.tsx'

const passwordPolicy = queryOptions({
  queryKey: ['password-policy'],
  queryFn: ({ signal }) => call(getPasswordPolicy, { signal }),
})

/** The rules for passwords of the whole installation. */
export function PasswordPolicySection() {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useQuery(passwordPolicy)
  return (
    <section aria-labelledby="password-policy" className="mt-8">
      <h3 id="password-policy" className="text-14 font-semibold">
        {t('administration.passwords.title')}
      </h3>
      <p className="mt-1 mb-4 text-12 text-ink-3">{t('administration.passwords.hint')}</p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data && <PolicyForm key={JSON.stringify(data)} policy={data} />}
    </section>
  )
}

function PolicyForm({ policy }: { policy: PasswordPolicy }) {
  const { t } = useTranslation('admin')
  const [draft, setDraft] = useState(() => draftOf(policy))
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const wanted = policyOf(draft)
  const saving = useMutation({
    mutationFn: (body: PasswordPolicy) => call(setPasswordPolicy, { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(passwordPolicy.queryKey, saved)
      toast.success(t('administration.passwords.saved'))
    },
  })
  const kinds = ['0', '2', '3', '4'].map((value) => ({
    value,
    label: t(`administration.passwords.kinds_${value}`),
  }))
  const times = (['next_change', 'now'] as const).map((value) => ({
    ...{ value, label: t(`administration.passwords.applies_${value}`) },
  }))
  const number = (name: 'length' | 'history' | 'age', [min, max]: [number, number], optional = false) => (
    <Field
      label={t(`administration.passwords.${name}`)}
      hint={t(`administration.passwords.${name}_hint`, { min, max })}
      error={
        isWithin(draft[name], [min, max], optional)
          ? undefined
          : t('administration.passwords.wrong', { min, max })
      }
      optional={optional}
    >
      <Input
        inputMode="numeric"
        maxLength={4}
        value={draft[name]}
        onChange={({ target }) => change({ [name]: target.value })}
      />
    </Field>
  )
  return (
    <form
      noValidate
      className="grid max-w-[560px] justify-items-start gap-4 [&>:not(button)]:w-full"
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted && !saving.isPending) saving.mutate(wanted)
      }}
    >
      {number('length', [PASSWORD_MIN, MAX_MIN_LENGTH])}
      <div className="grid gap-1">
        <Switch
          label={t('administration.passwords.common')}
          checked={draft.refuses_common}
          onCheckedChange={(refuses_common) => change({ refuses_common })}
        />
        <p className="text-12 text-ink-3">{t('administration.passwords.common_hint')}</p>
      </div>
      <Field label={t('administration.passwords.kinds')} hint={t('administration.passwords.kinds_hint')}>
        <Select value={draft.kinds} options={kinds} onValueChange={(value) => change({ kinds: value })} />
      </Field>
      {number('history', [0, MAX_HISTORY])}
      {number('age', [1, MAX_AGE_DAYS], true)}
      <Field label={t('administration.passwords.applies')} hint={t('administration.passwords.applies_hint')}>
        <Select
          value={draft.applies}
          options={times}
          onValueChange={(value) => change({ applies: value === 'now' ? 'now' : 'next_change' })}
        />
      </Field>
      {saving.error && (
        <Callout tone="danger" title={t('administration.passwords.failed')}>
          {errorText(t, saving.error)}
        </Callout>
      )}
      <Button type="submit" variant="primary" disabled={!wanted} busy={saving.isPending}>
        {t('administration.passwords.save')}
      </Button>
    </form>
  )
}

function draftOf({ min_length, refuses_common, min_kinds, history, max_age_days, applies }: PasswordPolicy) {
  return {
    ...{
      length: String(min_length),
      history: String(history),
      age: max_age_days ? String(max_age_days) : '',
    },
    ...{ kinds: String(min_kinds > 1 ? min_kinds : 0), refuses_common, applies },
  }
}

/** Builds the policy; null while a number is outside its bounds. */
function policyOf({ length, history, age, kinds, refuses_common, applies }: ReturnType<typeof draftOf>) {
  const isGood =
    isWithin(length, [PASSWORD_MIN, MAX_MIN_LENGTH]) &&
    isWithin(history, [0, MAX_HISTORY]) &&
    isWithin(age, [1, MAX_AGE_DAYS], true)
  if (!isGood) return null
  return {
    ...{ min_length: Number(length), history: Number(history), min_kinds: Number(kinds) },
    ...{ max_age_days: age.trim() === '' ? null : Number(age), refuses_common, applies },
  }
}

function isWithin(typed: string, [min, max]: [number, number], optional = false): boolean {
  const text = typed.trim()
  if (text === '') return optional
  return /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max
}
