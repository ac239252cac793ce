import type { CardVariant } from './library-filter.ts'

const heights = { default: 232, list: 48, compact: 36, icon: 132 }
const phoneHeights = { default: 212, list: 76, compact: 44, icon: 132 }
/** Minimum width of a card, including the gap. */
const widths = { default: 236, icon: 132 }

/** Returns the height of a row of cards in pixels, including the gap. */
export function rowHeight(variant: CardVariant, isPhone: boolean): number {
  return (isPhone ? phoneHeights : heights)[variant]
}

/** Returns the number of cards per row. */
export function columnsIn(variant: CardVariant, width: number, isPhone: boolean): number {
  if (variant === 'list' || variant === 'compact') return 1
  if (isPhone && variant === 'default') return 2
  return Math.max(1, Math.floor(width / widths[variant]))
}
