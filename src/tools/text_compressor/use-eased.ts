import { useEffect, useState } from 'react'

/** It moves so often, and each time so much of what is left (ledger TC-11). */
const TICK_MS = 40
const SHARE = 0.1
/** What is nearer counts as there. */
const NEAR = 0.002

/** The number behind one tick. */
export function easeOnce(shown: number, target: number): number {
  const next = shown + (target - shown) * SHARE
  return Math.abs(target - next) < NEAR ? target : next
}

/** A number that goes towards its target little by little; it begins at the first. */
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
