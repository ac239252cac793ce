import { useEffect, useState } from 'react'

/** Debounce of a search, in milliseconds. */
const SETTLED_MS = 250

/** Returns a typed text once it has not changed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
