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

function locale(): string {
  return currentLanguage() === 'fr' ? 'fr-FR' : 'en-GB'
}
