/** A balance in dollars with two decimals, never more than there is. */
export function formatBalance(dollars: number, language: string): string {
  return dollarText(dollars, language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    roundingMode: 'floor',
  })
}

/**
 * An amount of the ledger in dollars: two decimals, up to six below a cent, so that what was
 * used never reads as nothing. `isSigned` writes a plus before what was added.
 */
export function formatAmount(dollars: number, language: string, { isSigned = false } = {}): string {
  const decimals = decimalsOf(Math.abs(dollars))
  return dollarText(dollars, language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: decimals,
    signDisplay: isSigned ? 'exceptZero' : 'negative',
  })
}

/** A price in dollars per million tokens: at least two decimals, as many as it has. */
export function formatPrice(dollars: number, language: string): string {
  return dollarText(dollars, language, { minimumFractionDigits: 2, maximumFractionDigits: 6 })
}

/** A whole number with the separators of the language. */
export function formatCount(count: number, language: string): string {
  return new Intl.NumberFormat(language).format(count)
}

/** A rough number, as `3.9M` or `3,9 M`. */
export function formatRoughly(count: number, language: string): string {
  return new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(count)
}

/** Reads a number as people type it, with a comma or a point; null for anything else. */
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
  // A hyphen is too short beside figures.
  return format.format(dollars).replace('-', '−')
}
