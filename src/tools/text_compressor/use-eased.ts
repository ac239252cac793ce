import { useEffect, useState } from 'react'

/** Interval of a tick, and the share of the remainder it moves (ledger TC-11). */
const TICK_MS = 40
const SHARE = 0.1
/** Distance from which the target counts as reached. */
const NEAR = 0.002

/** Returns the number after one tick. */
export function easeOnce(shown: number, target: number): number {
  const next = shown + (target - shown) * SHARE
  return Math.abs(target - next) < NEAR ? target : next
}

/** Returns a number that eases towards its target, starting at the first one. */
export function useEased(target: number): number {
  const [shown, setShown] = useState(target)
  const isThere = shown === target
  useEffect(() => {
    if (isThere) return
    const timer = setInterval(() => setShown((now) => easeOnce(now, target)), TICK_MS)
    return () => clearInterval(timer)
  }, [target, isThere])
  return shown
}
