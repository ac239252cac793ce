import { TriangleAlert } from 'lucide-react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../platform/lib/me/roles.ts'
import { formatBalance } from '../../platform/lib/money.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { levelOf } from './balance-level.ts'
import { daysLeft } from './ledger-days.ts'
import { PayForm } from './pay-form.tsx'
import { TopUpForm } from './top-up-form.tsx'
import { usePayments } from './use-payments.ts'

type BalanceCardProps = { user: User; balance: number; spentThisMonth: number; onToppedUp: () => void }

/** Balance in dollars, how long it will last, what happens when it runs out, and who can add to it. */
export function BalanceCard({ user, balance, spentThisMonth, onToppedUp }: BalanceCardProps) {
  const { t, i18n } = useTranslation('common')
  const mayTopUp = useIsOpen('top_up')
  const canPay = usePayments().data?.can_pay ?? false
  const level = balance <= 0 ? 'empty' : levelOf(balance)
  const days = daysLeft(balance, spentThisMonth, new Date())
  return (
    <section
      aria-labelledby="balance"
      className="flex flex-col gap-3 rounded-card border border-line px-5 py-4.5"
    >
      <div>
        <div className="flex items-center justify-between gap-2 text-13 text-ink-2">
          <h2 id="balance">{t('billing.balance')}</h2>
          {level && (
            <Badge tone={tones[level]} icon={<TriangleAlert aria-hidden />}>
              {t(`billing.level.${level}`)}
            </Badge>
          )}
        </div>
        <p className="num text-28 font-semibold tracking-[-0.02em]">
          {formatBalance(balance, i18n.language)}
        </p>
        {days !== null && <p className="text-12 text-ink-3">{t('billing.days_left', { count: days })}</p>}
      </div>
      {mayTopUp && isSuperAdmin(user) ? (
        <TopUpForm userId={user.id} onDone={onToppedUp} />
      ) : mayTopUp && canPay ? (
        <PayForm />
      ) : (
        <p className="text-13 text-ink-2">{t('billing.who_tops_up')}</p>
      )}
      <p className="border-t border-line pt-3 text-12 text-ink-3">{t('billing.what_happens')}</p>
    </section>
  )
}

const tones = { normal: 'neutral', warning: 'warning', critical: 'danger', empty: 'danger' } as const
