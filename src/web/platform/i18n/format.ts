import { localeOf } from '#shared/platform/locale.ts'
import { currentLanguage } from './i18n.ts'

/** Formats dates, times, numbers and money in the current language. */
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

/** Formats US dollars. */
export function formatMoney(value: number): string {
  return formatNumber(value, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' })
}

/** Formats dollars with enough decimals to show the cost of a single call. */
export function formatCost(dollars: number, { isSigned = false } = {}): string {
  const size = Math.abs(dollars)
  return formatNumber(dollars, {
    ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
    maximumFractionDigits: size > 0 && size < 0.01 ? 4 : 2,
    ...(isSigned ? { signDisplay: 'exceptZero' as const } : {}),
  })
}

const locale = () => localeOf(currentLanguage())
