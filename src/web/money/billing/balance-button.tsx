import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { Wallet } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { formatBalance } from '../../platform/lib/money.ts'
import { FLASH_MS, levelOf } from './balance-level.ts'

/** Balance in dollars, linked to the billing tab. Hidden at 5 or more and while unknown. */
export function BalanceButton() {
  const { t, i18n } = useTranslation('common')
  const balance = useMe()?.balance
  const isFlashing = useFlash(balance)
  const level = levelOf(balance)
  if (level === null || balance === null || balance === undefined) return null
  const text = formatBalance(balance, i18n.language)
  return (
    <Link
      to="/user/billing"
      aria-label={t('billing.balance_link', { balance: text })}
      data-level={level}
      data-flashing={isFlashing || undefined}
      className={clsx(
        'num inline-flex h-8 items-center gap-1.5 rounded-pill border pr-[11px] pl-[9px] text-13 font-medium no-underline hover-motion max-md:h-9',
        looks[level],
        // Three pulses of half a second.
        isFlashing && 'animate-[shimmer_500ms_ease-in-out_3]',
      )}
    >
      <Wallet aria-hidden className={clsx('icon-14', level === 'normal' && 'text-ink-2')} />
      {text}
    </Link>
  )
}

/** Returns true for 1.5 s after the balance drops. Another drop restarts the time. */
function useFlash(balance: number | null | undefined): boolean {
  const before = useRef(balance)
  const [isFlashing, setFlashing] = useState(false)
  useEffect(() => {
    const last = before.current
    before.current = balance
    if (typeof last !== 'number' || typeof balance !== 'number' || balance >= last) return
    setFlashing(true)
    const timer = setTimeout(() => setFlashing(false), FLASH_MS)
    return () => clearTimeout(timer)
  }, [balance])
  return isFlashing
}

const looks = {
  normal: 'border-line-2 bg-raised text-ink hover:bg-surface-2',
  warning: 'border-line-2 bg-raised text-warning hover:bg-surface-2',
  critical: 'border-transparent bg-danger-soft text-danger',
}
