import { useEffect, useState } from 'react'

const IDLE_MS = 3_000

/** Returns true after 3 s without movement while `isWatched`. Attach its handlers to the watched element. */
export function useIdle(isWatched: boolean) {
  const [moves, setMoves] = useState(0)
  const [isIdle, setIdle] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every move restarts the timer.
  useEffect(() => {
    setIdle(false)
    if (!isWatched) return
    const timer = setTimeout(() => setIdle(true), IDLE_MS)
    return () => clearTimeout(timer)
  }, [isWatched, moves])
  const wake = () => setMoves((count) => count + 1)
  return {
    isIdle: isIdle && isWatched,
    onPointerMove: wake,
    onPointerDown: wake,
    onKeyDown: wake,
    onFocus: wake,
  }
}
