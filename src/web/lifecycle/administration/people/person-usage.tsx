import { useState } from 'react'
import type { ManagedUserDetails } from '#shared/identity/administration/administration.ts'
import { TopUpForm } from '../../../money/billing/billing.tsx'
import { formatCost, formatMoney, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { readAgain } from '../use-managed.ts'
import { Fact } from './fact.tsx'
import { USAGE_DAYS, usePersonUsage } from './use-person.ts'

/** What a person used in the last 30 days, and their balance. */
export function PersonUsage({ person }: { person: ManagedUserDetails }) {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  const { data } = usePersonUsage(person.id)
  const [isToppingUp, setToppingUp] = useState(false)
  const name = person.full_name?.trim() || person.username
  return (
    <>
      <dl className="grid gap-1.5">
        <Fact label={t('administration.person.spent', { count: USAGE_DAYS })}>
          {data ? formatCost(data.amount) : '…'}
        </Fact>
        <Fact label={t('administration.person.calls')}>{data ? formatNumber(data.calls) : '…'}</Fact>
        <Fact label={t('administration.person.tokens')}>{data ? formatNumber(data.tokens) : '…'}</Fact>
        {person.balance !== null && (
          <Fact label={t('administration.column.balance')}>
            <span className="flex items-center justify-end gap-2">
              {formatMoney(person.balance)}
              {isSuper && (
                <Button size="sm" onClick={() => setToppingUp(true)}>
                  {t('administration.top_up')}
                </Button>
              )}
            </span>
          </Fact>
        )}
      </dl>
      <Dialog open={isToppingUp} onOpenChange={setToppingUp} title={t('administration.top_up_of', { name })}>
        {isToppingUp && (
          <TopUpForm
            userId={person.id}
            onDone={() => {
              setToppingUp(false)
              void readAgain()
            }}
          />
        )}
      </Dialog>
    </>
  )
}
