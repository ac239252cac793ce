import type { Bound, Direction } from './terms.ts'
import type { Unit } from './units.ts'

/** A number of a text: every value it may mean, its unit, its sign, and by how much it may differ where it is rounded. */
export type Quantity = {
  values: number[]
  unit: Unit | null
  isNegative: boolean
  isOrdinal: boolean
  slack: number
  /** The factor of a scale word behind the digits, such as "million". */
  scale?: number
  /** A loss of 35 is minus 35. */
  isLoss?: boolean
  isGain?: boolean
  bound?: Bound | null
  /** The period it is counted by, such as the hour. */
  rate?: string | null
  direction?: Direction | null
  at: number
  text: string
}

/** Returns whether two numbers mean the same, their units included where both have one. */
export function isSameQuantity(said: Quantity, known: Quantity): boolean {
  if (said.isNegative !== known.isNegative && !said.isLoss && !known.isLoss) return false
  if (isOther(said.bound, known.bound) || isOther(said.rate, known.rate)) return false
  if (isHourOfClock(said, known) || isHourOfClock(known, said))
    return said.values.some((value) => known.values.includes(value))
  if ((said.isGain && known.isLoss) || (said.isLoss && known.isGain)) return false
  if (isOther(said.direction, known.direction)) return false
  // "Three keys" say nothing of 3 %.
  if (said.unit !== null && known.unit === null && /^\p{L}/u.test(known.text)) return false
  const isMeasured = said.unit !== null && known.unit !== null
  if (isMeasured && said.unit?.kind !== known.unit?.kind) return false
  const isSameUnit = !isMeasured || said.unit?.factor === known.unit?.factor
  const tolerance = isSameUnit ? 1e-9 : 0.016
  const scaleOfUnit = (one: Quantity) => (isMeasured ? (one.unit?.factor ?? 1) : 1)
  return said.values.some((value) =>
    known.values.some((other) => {
      const [a, b] = [value * scaleOfUnit(said), other * scaleOfUnit(known)]
      return (
        Math.abs(a - b) <=
        tolerance * Math.max(Math.abs(a), Math.abs(b)) + said.slack * scaleOfUnit(said) + 1e-9
      )
    }),
  )
}

/** "20 Uhr" and "20 horas" are hours of the clock, too. */
const isHourOfClock = (clock: Quantity, other: Quantity) =>
  clock.unit?.kind === 'clock' && other.unit?.kind === 'day' && other.unit.factor === 1 / 24

/** Whether both are said and differ. */
const isOther = (said: string | null | undefined, known: string | null | undefined) =>
  Boolean(said && known && said !== known)
