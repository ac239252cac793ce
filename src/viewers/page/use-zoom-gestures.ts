import { type RefObject, useEffect, useRef } from 'react'
import { roundZoom, type ZoomRange } from './zoom.ts'

/** A point of the window. */
export type Point = { x: number; y: number }

type Gestures = {
  zoom: number
  range: ZoomRange
  /** Zooms while keeping the point in place. */
  onZoom: (zoom: number, at: Point) => void
}

/** Wheel distance that doubles the zoom. */
const WHEEL_PER_DOUBLE = 300

/** Handles Ctrl with the wheel, which trackpads send for a pinch, and two-finger pinches. */
export function useZoomGestures(room: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const latest = useRef(gestures)
  latest.current = gestures
  useEffect(() => {
    const element = room.current
    if (!element) return
    let begun: { zoom: number; span: number } | null = null
    let wheeled: { zoom: number; time: number } | null = null
    const tell = (zoom: number, at: Point) => {
      const { zoom: now, range, onZoom } = latest.current
      const next = roundZoom(zoom, range)
      if (next !== now) onZoom(next, at)
    }
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      // Small wheel movements accumulate to one step.
      const isNew = !wheeled || event.timeStamp - wheeled.time > 400
      const from = isNew || !wheeled ? latest.current.zoom : wheeled.zoom
      wheeled = { zoom: from * 2 ** (-event.deltaY / WHEEL_PER_DOUBLE), time: event.timeStamp }
      tell(wheeled.zoom, { x: event.clientX, y: event.clientY })
    }
    const onTouch = (event: TouchEvent) => {
      const [one, two] = event.touches
      if (!one || !two) {
        begun = null
        return
      }
      event.preventDefault()
      const span = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY)
      begun ??= { zoom: latest.current.zoom, span }
      const at = { x: (one.clientX + two.clientX) / 2, y: (one.clientY + two.clientY) / 2 }
      tell((begun.zoom * span) / Math.max(1, begun.span), at)
    }
    const options = { passive: false }
    element.addEventListener('wheel', onWheel, options)
    const touches = ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const
    for (const name of touches) element.addEventListener(name, onTouch, options)
    return () => {
      element.removeEventListener('wheel', onWheel)
      for (const name of touches) element.removeEventListener(name, onTouch)
    }
  }, [room])
}
