import { useState } from 'react'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { parseDecimal } from '../../../platform/lib/money.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { CompanyPicker } from '../company-picker.tsx'
import { useManagedCompanies } from '../use-managed.ts'
import { BulkFailures } from './bulk-failures.tsx'
import { rolesFor } from './roles.ts'
import { type BulkChange, useBulk } from './use-bulk.ts'
import { useMatchingGroups } from './use-person.ts'

type BulkDialogProps = {
  kind: BulkChange['kind']
  people: ManagedUser[]
  onClose: () => void
  /** Called when everybody was changed. */
  onDone: () => void
}

/** Asks for a change of several people, shows its progress, and then names those it failed for. */
export function BulkDialog({ kind, people, onClose, onDone }: BulkDialogProps) {
  const { t } = useTranslation('admin')
  const [change, setChange] = useState<BulkChange | null>(kind === 'deactivate' ? { kind } : null)
  const { data: result, mutate, isPending, tried } = useBulk()
  if (result && result.failed.length > 0) return <BulkFailures result={result} onClose={onClose} />
  const start = () => {
    if (!change || isPending) return
    mutate(
      { people, change },
      {
        onSuccess: ({ done, failed }) => {
          if (failed.length > 0) return
          toast.success(t('administration.bulk.done', { count: done }))
          onClose()
          onDone()
        },
      },
    )
  }
  return (
    <Dialog
      open
      dismissible={!isPending}
      onOpenChange={(open) => open || onClose()}
      title={t(`administration.bulk.${kind}.title`, { count: people.length })}
      description={t(`administration.bulk.${kind}.message`)}
      footer={
        <>
          {isPending && (
            <span role="status" className="num mr-auto self-center text-12 text-ink-3">
              {t('administration.bulk.progress', { done: tried, total: people.length })}
            </span>
          )}
          <Button disabled={isPending} onClick={onClose}>
            {t('common:actions.cancel')}
          </Button>
          <Button
            variant={kind === 'deactivate' ? 'danger' : 'primary'}
            disabled={!change}
            busy={isPending}
            onClick={start}
          >
            {t(`administration.bulk.${kind}.act`, { count: people.length })}
          </Button>
        </>
      }
    >
      {kind === 'role' && <RoleChoice onChange={setChange} />}
      {kind === 'group' && <GroupChoice onChange={setChange} />}
      {kind === 'top_up' && <AmountField onChange={setChange} />}
    </Dialog>
  )
}

type ChoiceProps = { onChange: (change: BulkChange | null) => void }

function RoleChoice({ onChange }: ChoiceProps) {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  const { data: companies = [] } = useManagedCompanies()
  const [companyId, setCompanyId] = useState('')
  const [role, setRole] = useState<RoleName>('member')
  const settle = (company_id: string, next: RoleName) => {
    setCompanyId(company_id)
    setRole(next)
    onChange(company_id ? { kind: 'role', membership: { company_id, role: next } } : null)
  }
  return (
    <div className="grid gap-3.5 pt-3">
      <div className="grid gap-1.5">
        <span className="text-13 font-medium">{t('administration.invitations.company')}</span>
        <CompanyPicker
          name={t('administration.invitations.company')}
          companies={companies}
          value={companyId}
          emptyLabel={t('administration.bulk.role.choose')}
          isField
          onChoose={(id) => settle(id, role)}
        />
      </div>
      <Field
        label={t('administration.invitations.role')}
        hint={role === 'super_admin' && t('administration.person.super_admin.message')}
      >
        <Select
          value={role}
          options={rolesFor(isSuper).map((value) => ({ value, label: t(`administration.role.${value}`) }))}
          onValueChange={(value) => settle(companyId, value as RoleName)}
        />
      </Field>
    </div>
  )
}

/** Dollars for each of the people. */
function AmountField({ onChange }: ChoiceProps) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const amount = parseDecimal(typed)
  const isWrong = typed !== '' && !isTopUp(amount)
  return (
    <Field
      label={t('administration.bulk.top_up.amount')}
      error={isWrong ? t('administration.bulk.top_up.wrong') : undefined}
      className="pt-3"
    >
      <Input
        inputMode="decimal"
        maxLength={20}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          const next = parseDecimal(target.value)
          onChange(isTopUp(next) ? { kind: 'top_up', amount: next } : null)
        }}
      />
    </Field>
  )
}

const isTopUp = (amount: number | null): amount is number =>
  amount !== null && amount >= 0.01 && amount <= 100_000

function GroupChoice({ onChange }: ChoiceProps) {
  const { t } = useTranslation('admin')
  const { data: groups = [] } = useMatchingGroups('')
  const [chosen, setChosen] = useState('')
  const own = groups.filter(({ from_directory }) => !from_directory)
  if (own.length === 0) return <p className="pt-3 text-13 text-ink-3">{t('administration.groups.empty')}</p>
  return (
    <Field label={t('administration.bulk.group.label')} className="pt-3">
      <Select
        value={chosen}
        options={[
          { value: '', label: t('administration.bulk.group.choose') },
          ...own.map(({ id, name, company }) => ({ value: id, label: `${name} · ${company.name}` })),
        ]}
        onValueChange={(groupId) => {
          setChosen(groupId)
          onChange(groupId ? { kind: 'group', groupId } : null)
        }}
      />
    </Field>
  )
}
