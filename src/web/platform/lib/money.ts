/** Formats a balance in dollars with two decimals, rounded down. */
export function formatBalance(dollars: number, language: string): string {
  return dollarText(dollars, language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    roundingMode: 'floor',
  })
}

/**
 * Formats a ledger amount in dollars: two decimals, up to six below a cent, so that usage never shows as zero. `isSigned`
 * adds a plus to positive amounts.
 */
export function formatAmount(dollars: number, language: string, { isSigned = false } = {}): string {
  const decimals = decimalsOf(Math.abs(dollars))
  return dollarText(dollars, language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: decimals,
    signDisplay: isSigned ? 'exceptZero' : 'negative',
  })
}

/** Formats a price in dollars per million tokens with at least two decimals. */
export function formatPrice(dollars: number, language: string): string {
  return dollarText(dollars, language, { minimumFractionDigits: 2, maximumFractionDigits: 6 })
}

/** Formats a whole number with the separators of the language. */
export function formatCount(count: number, language: string): string {
  return new Intl.NumberFormat(language).format(count)
}

/** Formats a rounded number, such as `3.9M` or `3,9 M`. */
export function formatRoughly(count: number, language: string): string {
  return new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(count)
}

/** Parses a number with a comma or a point; null for anything else. */
export function parseDecimal(typed: string): number | null {
  const text = typed
    .replace(/[\s\u00A0\u202F$]/g, '')
    .replace('−', '-')
    .replace(',', '.')
  return /^-?(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : null
}

function decimalsOf(size: number): number {
  if (size === 0 || size >= 0.01) return 2
  return Math.min(6, 1 - Math.floor(Math.log10(size)))
}

function dollarText(dollars: number, language: string, options: Intl.NumberFormatOptions): string {
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    ...options,
  })
  // A hyphen is too short next to digits.
  return format.format(dollars).replace('-', '−')
}
