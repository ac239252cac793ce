export type BalanceLevel = 'normal' | 'warning' | 'critical'

/** How long the button flashes when the balance drops, in milliseconds. */
export const FLASH_MS = 1500

/**
 * How the balance button shows a balance in dollars, or null when it is hidden: at 5 and more,
 * while nothing is known, and without a balance.
 */
export function levelOf(balance: number | null | undefined): BalanceLevel | null {
  if (balance === null || balance === undefined || Number.isNaN(balance) || balance >= 5) return null
  if (balance < 0.5) return 'critical'
  return balance < 1 ? 'warning' : 'normal'
}
