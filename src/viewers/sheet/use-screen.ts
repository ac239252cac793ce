import { type RefObject, useCallback, useEffect, useState } from 'react'
import { ROW, type Screen } from './measures.ts'

/** Assumed viewport before the first measurement. */
const unknown: Screen = { top: 0, left: 0, width: 1200, height: 800 }
/** Scroll distance that triggers an update, in pixels. */
const STEP = { top: 4 * ROW, left: 20 }

/** Returns the visible part of a scrolled element; updates only after relevant changes. */
export function useScreen(room: RefObject<HTMLElement | null>) {
  const [screen, setScreen] = useState(unknown)
  const readScreen = useCallback((): Screen => {
    const { scrollTop = 0, scrollLeft = 0, clientWidth = 0, clientHeight = 0 } = room.current ?? {}
    return {
      ...{ top: scrollTop, left: scrollLeft },
      ...{ width: clientWidth || unknown.width, height: clientHeight || unknown.height },
    }
  }, [room])
  useEffect(() => {
    const element = room.current
    if (!element) return
    const look = () => setScreen((now) => (isSame(now, readScreen()) ? now : readScreen()))
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [room, readScreen])
  return { screen, readScreen }
}

function isSame(one: Screen, other: Screen): boolean {
  const step = (value: number, by: number) => Math.floor(value / by)
  return (
    step(one.top, STEP.top) === step(other.top, STEP.top) &&
    step(one.left, STEP.left) === step(other.left, STEP.left) &&
    one.width === other.width &&
    one.height === other.height
  )
}
