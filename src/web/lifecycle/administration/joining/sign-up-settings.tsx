import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useId, useState } from 'react'
import {
  getSignUpRules,
  SignUpCompany,
  SignUpPolicy,
  type SignUpRules,
  setSignUpRules,
} from '#shared/identity/accounts/joining.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Radio } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Textarea } from '../../../platform/ui/input.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { ReadFailed } from '../read-failed.tsx'
import { splitList } from './split-list.ts'

/** Query for the sign-up policy. */
export const signUpRules = queryOptions({
  queryKey: ['sign-up-rules'],
  queryFn: ({ signal }) => call(getSignUpRules, { signal }),
})

/** Sign-up policy settings; locked when the environment sets them. */
export function SignUpSettings() {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useQuery(signUpRules)
  return (
    <>
      <div className="admin-head">
        <h2>{t('administration.sign_up.title')}</h2>
      </div>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data && <RulesForm key={JSON.stringify(data)} rules={data} />}
    </>
  )
}

type RulesFormProps = {
  rules: SignUpRules
  /** Uses a muted button because the main action is elsewhere. */
  isQuiet?: boolean
  onSaved?: (rules: SignUpRules) => void
}

/** The policy form. `onSaved` receives the saved policy. */
export function RulesForm({ rules, isQuiet, onSaved }: RulesFormProps) {
  const { t } = useTranslation('admin')
  const [policy, setPolicy] = useState(rules.policy)
  const [company, setCompany] = useState(rules.company)
  const [typed, setTyped] = useState(rules.domains.join('\n'))
  const [isChecked, setChecked] = useState(false)
  const domains = splitList(typed)
  const wrong = policy === 'domain' ? problemOf(domains) : null
  const saving = useMutation({
    mutationFn: () =>
      call(setSignUpRules, {
        body: { policy, domains, ...(rules.company_fixed_by.length === 0 && { company }) },
      }),
    onSuccess: (saved) => {
      queryClient.setQueryData(signUpRules.queryKey, saved)
      toast.success(t('administration.sign_up.saved'))
      onSaved?.(saved)
    },
  })
  return (
    <form
      noValidate
      className="grid max-w-[560px] justify-items-start gap-4 [&>:not(button)]:w-full"
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (!wrong && !saving.isPending) saving.mutate()
      }}
    >
      {rules.is_fixed && (
        <Callout>{t('administration.fixed_by', { names: rules.fixed_by.join(', ') })}</Callout>
      )}
      <fieldset
        disabled={rules.is_fixed}
        aria-label={t('administration.sign_up.title')}
        className="admin-card"
      >
        {SignUpPolicy.options.map((one) => (
          <label
            key={one}
            className="flex cursor-pointer items-start gap-3 border-b border-line px-3.5 py-3 last:border-0"
          >
            <Radio name="policy" value={one} checked={policy === one} onChange={() => setPolicy(one)} />
            <span className="min-w-0">
              <span className="flex items-center gap-2 text-13 font-medium">
                {t(`administration.sign_up.${one}`)}
                {rules.is_fixed && policy === one && <Lock aria-hidden className="icon-12 text-ink-3" />}
              </span>
              <span className="block text-12 text-ink-3">{t(`administration.sign_up.${one}_hint`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {policy === 'domain' && (
        <Field
          label={t('administration.sign_up.domains')}
          hint={t('administration.sign_up.domains_hint')}
          error={isChecked && wrong ? t(`administration.sign_up.${wrong.text}`, wrong) : undefined}
        >
          <Textarea
            disabled={rules.is_fixed}
            autoCapitalize="off"
            spellCheck={false}
            maxLength={20_000}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
      )}
      {(policy === 'open' || policy === 'domain') && (
        <CompanyRule rules={rules} policy={policy} value={company} onChange={setCompany} />
      )}
      {saving.error && (
        <Callout tone="danger" title={t('administration.sign_up.failed')}>
          {errorText(t, saving.error)}
        </Callout>
      )}
      {!rules.is_fixed && (
        <Button type="submit" variant={isQuiet ? 'secondary' : 'primary'} busy={saving.isPending}>
          {t('administration.sign_up.save')}
        </Button>
      )}
    </form>
  )
}

type CompanyRuleProps = {
  rules: SignUpRules
  policy: SignUpPolicy
  value: SignUpCompany
  onChange: (company: SignUpCompany) => void
}

/** Chooses the company of people who sign up without an invitation. */
function CompanyRule({ rules, policy, value, onChange }: CompanyRuleProps) {
  const { t } = useTranslation('admin')
  const title = useId()
  const isFixed = rules.is_fixed || rules.company_fixed_by.length > 0
  return (
    <>
      <h3 id={title} className="mt-2 -mb-1 text-14 font-semibold">
        {t('administration.sign_up.company.title')}
      </h3>
      <fieldset disabled={isFixed} aria-labelledby={title} className="admin-card">
        {SignUpCompany.options.map((one) => (
          <label
            key={one}
            className="flex cursor-pointer items-start gap-3 border-b border-line px-3.5 py-3 last:border-0"
          >
            <Radio name="company" value={one} checked={value === one} onChange={() => onChange(one)} />
            <span className="min-w-0">
              <span className="block text-13 font-medium">{t(`administration.sign_up.company.${one}`)}</span>
              <span className="block text-12 text-ink-3">
                {t(`administration.sign_up.company.${one}_hint`)}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {policy === 'open' && value === 'first' && (
        <Callout tone="warning">{t('administration.sign_up.company.open_first')}</Callout>
      )}
      {rules.company_fixed_by.length > 0 && (
        <p className="text-12 text-ink-3">
          {t('administration.fixed_by', { names: rules.company_fixed_by.join(', ') })}
        </p>
      )}
    </>
  )
}

function problemOf(domains: string[]): { text: 'domain_missing' | 'domain_wrong'; domain?: string } | null {
  if (domains.length === 0) return { text: 'domain_missing' }
  const domain = domains.find((one) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(one))
  return domain ? { text: 'domain_wrong', domain } : null
}
