import { Plus, X } from 'lucide-react'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import { type GroupRule, MAX_RULES } from '#shared/identity/accounts/sign-on-providers.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { CompanyPicker } from '../company-picker.tsx'
import { useManagedCompanies } from '../use-managed.ts'

type RuleFieldsProps = { rules: readonly GroupRule[]; onChange: (rules: GroupRule[]) => void }

const roles = ['super_admin', 'company_admin', 'member'] as const satisfies RoleName[]

/** Groups of the provider, and the role each gives in a company. */
export function RuleFields({ rules, onChange }: RuleFieldsProps) {
  const { t } = useTranslation('admin')
  const { data: companies = [] } = useManagedCompanies()
  const set = (at: number, next: Partial<GroupRule>) =>
    onChange(rules.map((rule, index) => (index === at ? { ...rule, ...next } : rule)))
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-13 font-medium">{t('administration.sign_on.roles')}</legend>
      <p className="text-12 text-ink-3">{t('administration.sign_on.rules_hint')}</p>
      {rules.map(({ group, company_id, role }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no other identity while it is written.
        <div key={at} className="sign-on-rule">
          <Input
            aria-label={t('administration.sign_on.group')}
            placeholder={t('administration.sign_on.group')}
            maxLength={300}
            value={group}
            onChange={({ target }) => set(at, { group: target.value })}
          />
          <CompanyPicker
            isField
            name={t('administration.directory.company')}
            companies={companies}
            value={company_id}
            emptyLabel={t('administration.sign_on.choose_company')}
            onChoose={(id) => set(at, { company_id: id })}
          />
          <Select
            aria-label={t('administration.sign_on.role')}
            value={role}
            options={roles.map((one) => ({ value: one, label: t(`administration.role.${one}`) }))}
            onValueChange={(value) => set(at, { role: roles.find((one) => one === value) ?? role })}
          />
          <IconButton
            size="sm"
            name={t('administration.sign_on.remove_rule', { group: group || String(at + 1) })}
            onClick={() => onChange(rules.filter((_, index) => index !== at))}
          >
            <X aria-hidden className="icon" />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          size="sm"
          icon={<Plus aria-hidden className="icon-14" />}
          disabled={rules.length >= MAX_RULES}
          onClick={() => onChange([...rules, { group: '', company_id: '', role: 'member' }])}
        >
          {t('administration.sign_on.add_rule')}
        </Button>
      </div>
    </fieldset>
  )
}
