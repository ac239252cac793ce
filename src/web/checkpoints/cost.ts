import { formatNumber } from '../i18n/format.ts'

/** Dollars, with as many decimals as it takes to see what a single call cost. */
export function formatCost(dollars: number, { isSigned = false } = {}): string {
  const size = Math.abs(dollars)
  return formatNumber(dollars, {
    ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
    maximumFractionDigits: size > 0 && size < 0.01 ? 4 : 2,
    ...(isSigned ? { signDisplay: 'exceptZero' as const } : {}),
  })
}
