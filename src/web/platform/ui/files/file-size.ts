import { formatNumber } from '../../i18n/format.ts'
import type { TFunction } from '../../i18n/i18n.ts'

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats bytes with units of 1024. */
export function sizeText(t: TFunction, bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1
  // 1023.7 KB would be rounded to 1,024 KB.
  if (Number(value.toFixed(digits)) >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const shown = formatNumber(value, { maximumFractionDigits: value < 100 ? 1 : 0 })
  return t(`common:size.${units[unit]}`, { value: shown })
}
