import { useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

const listeners = new Set<() => void>()
let isPrinting = false

/** Returns whether the page is being printed. Content rendered only near the screen is then rendered in full. */
export function usePrinting(): boolean {
  const [on, setOn] = useState(isPrinting)
  // Not `useSyncExternalStore`, which subscribes after the first paint; a page may be printed before.
  useLayoutEffect(() => {
    setOn(isPrinting)
    return subscribe(() => setOn(isPrinting))
  }, [])
  return on
}

/** Renders the page for paper, or for the screen again, synchronously, because browsers print what is rendered when this returns. */
export function setPrinting(on: boolean): void {
  if (isPrinting === on) return
  isPrinting = on
  flushSync(() => {
    for (const listener of listeners) listener()
  })
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) watch()
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) stop?.()
  }
}

let stop: (() => void) | undefined

function watch(): void {
  const media = matchMedia('print')
  let isHeld = false
  // Chromium sometimes lays out the page for paper twice, leaves the print medium in between, and prints what the first pass rendered.
  const onMedia = () => setPrinting(isHeld || media.matches)
  const hold = (on: boolean) => {
    isHeld = on
    setPrinting(on)
  }
  const before = () => hold(true)
  const after = () => hold(false)
  media.addEventListener('change', onMedia)
  window.addEventListener('beforeprint', before)
  window.addEventListener('afterprint', after)
  stop = () => {
    media.removeEventListener('change', onMedia)
    window.removeEventListener('beforeprint', before)
    window.removeEventListener('afterprint', after)
  }
}
