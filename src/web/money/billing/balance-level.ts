export type BalanceLevel = 'normal' | 'warning' | 'critical'

/** Duration of the flash after the balance drops, in milliseconds. */
export const FLASH_MS = 1500

/**
 * Returns the level at which the balance button shows a balance in dollars. Returns null when the button is hidden:
 * at 5 or more, while loading, and without a balance.
 */
export function levelOf(balance: number | null | undefined): BalanceLevel | null {
  if (balance === null || balance === undefined || Number.isNaN(balance) || balance >= 5) return null
  if (balance < 0.5) return 'critical'
  return balance < 1 ? 'warning' : 'normal'
}
