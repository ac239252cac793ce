import { useEffect, useState } from 'react'

/** Counts down from `seconds` while `isOn`, then calls `go` once. Returns the remaining seconds. */
export function useRedirect(isOn: boolean, seconds: number, go: () => void): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    if (!isOn) return
    if (left <= 0) {
      go()
      return
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [isOn, left, go])
  return left
}
