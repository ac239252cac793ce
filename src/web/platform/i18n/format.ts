import { currentLanguage } from './i18n.ts'

/** Dates, times, numbers and money as the current language writes them. */
export function formatDate(
  value: string | Date,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' },
): string {
  return new Intl.DateTimeFormat(locale(), options).format(new Date(value))
}

export function formatTime(value: string | Date): string {
  return formatDate(value, { hour: '2-digit', minute: '2-digit' })
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale(), options).format(value)
}

/** US dollars. */
export function formatMoney(value: number): string {
  return formatNumber(value, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' })
}

/** Dollars, with as many decimals as it takes to see what a single call cost. */
export function formatCost(dollars: number, { isSigned = false } = {}): string {
  const size = Math.abs(dollars)
  return formatNumber(dollars, {
    ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
    maximumFractionDigits: size > 0 && size < 0.01 ? 4 : 2,
    ...(isSigned ? { signDisplay: 'exceptZero' as const } : {}),
  })
}

function locale(): string {
  return currentLanguage() === 'fr' ? 'fr-FR' : 'en-GB'
}
