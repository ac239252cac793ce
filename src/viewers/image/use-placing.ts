import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Point } from '../page/use-zoom-gestures.ts'
import { clamp, IMAGE_ZOOM, roundZoom } from '../page/zoom.ts'

export type Size = { width: number; height: number }
/** Position of the upper left corner in pixels, zoom relative to the file, and quarter turns. */
export type Placing = { x: number; y: number; zoom: number; turns: number }

/** Margin around a fitted picture, in pixels. */
const MARGIN = 24

export function turned({ width, height }: Size, turns: number): Size {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width }
}

/** Keeps the picture in bounds: a smaller one stays inside the view, a larger one covers it. */
export function keepInside(placing: Placing, natural: Size, room: Size): Placing {
  const { width, height } = turned(natural, placing.turns)
  const free = { x: room.width - width * placing.zoom, y: room.height - height * placing.zoom }
  return {
    ...placing,
    x: clamp(placing.x, Math.min(0, free.x), Math.max(0, free.x)),
    y: clamp(placing.y, Math.min(0, free.y), Math.max(0, free.y)),
  }
}

/** Centres the whole picture without enlarging it. */
export function fitInside(natural: Size, room: Size, turns: number): Placing {
  const { width, height } = turned(natural, turns)
  const fit = Math.min((room.width - 2 * MARGIN) / width, (room.height - 2 * MARGIN) / height)
  const zoom = clamp(Math.min(1, fit), IMAGE_ZOOM.least, IMAGE_ZOOM.most)
  return middle({ x: 0, y: 0, zoom, turns }, natural, room)
}

function middle(placing: Placing, natural: Size, room: Size): Placing {
  const { width, height } = turned(natural, placing.turns)
  const { zoom } = placing
  return { ...placing, x: (room.width - width * zoom) / 2, y: (room.height - height * zoom) / 2 }
}

/** Returns the position of a picture and the actions that change it. */
export function usePlacing(room: RefObject<HTMLElement | null>, natural: Size | null) {
  const [placing, setPlacing] = useState<Placing | null>(null)
  const from = useRef<Point | null>(null)
  const change = useCallback(
    (next: (now: Placing, room: Size) => Placing) => {
      if (!natural) return
      const size = sizeOf(room.current)
      setPlacing((now) => keepInside(next(now ?? fitInside(natural, size, 0), size), natural, size))
    },
    [room, natural],
  )
  const fitWhole = useCallback(
    () => change(({ turns }, size) => (natural ? fitInside(natural, size, turns) : fitInside(size, size, 0))),
    [change, natural],
  )
  const zoomTo = useCallback(
    (zoom: number, point?: Point) => {
      const box = room.current?.getBoundingClientRect()
      change((now, size) => {
        const at = point && box ? { x: point.x - box.left, y: point.y - box.top } : half(size)
        const ratio = zoom / now.zoom
        return { ...now, zoom, x: at.x - (at.x - now.x) * ratio, y: at.y - (at.y - now.y) * ratio }
      })
    },
    [change, room],
  )
  const turn = useCallback(
    (by: 1 | -1) =>
      change((now, size) => {
        if (!natural) return now
        const turns = (now.turns + by + 4) % 4
        const { zoom } = fitInside(natural, size, turns)
        // A fitted picture is fitted again; a larger one keeps its size.
        const wasWhole = now.zoom <= fitInside(natural, size, now.turns).zoom
        return middle({ ...now, turns, zoom: wasWhole ? zoom : now.zoom }, natural, size)
      }),
    [change, natural],
  )
  const move = useCallback(
    (x: number, y: number) => change((now) => ({ ...now, x: now.x + x, y: now.y + y })),
    [change],
  )
  useEffect(() => {
    if (!natural || !room.current) return
    fitWhole()
    const resized = new ResizeObserver(() => change((now) => now))
    resized.observe(room.current)
    return () => resized.disconnect()
  }, [natural, room, fitWhole, change])
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // Dragging selects text on a word, and moves the picture elsewhere.
      const isWord = event.target instanceof HTMLElement && event.target.matches('.page-words span')
      if (event.button !== 0 || !event.isPrimary || (isWord && event.pointerType === 'mouse')) return
      event.currentTarget.setPointerCapture(event.pointerId)
      from.current = { x: event.clientX, y: event.clientY }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!from.current || !event.isPrimary) return
      move(event.clientX - from.current.x, event.clientY - from.current.y)
      from.current = { x: event.clientX, y: event.clientY }
    },
    onPointerUp: () => {
      from.current = null
    },
    onPointerCancel: () => {
      from.current = null
    },
  }
  return { placing, fitWhole, zoomTo, turn, move, change, handlers }
}

/** Centres a place of the picture at a readable size. The place is given in fractions of the unrotated picture. */
export function showPlace(
  now: Placing,
  natural: Size,
  room: Size,
  [left, top, right, bottom]: readonly number[],
): Placing {
  const [x, y] = turnPoint(((left ?? 0) + (right ?? 1)) / 2, ((top ?? 0) + (bottom ?? 1)) / 2, now.turns)
  const { width, height } = turned(natural, now.turns)
  const [wide, high] = [
    ((right ?? 1) - (left ?? 0)) * natural.width,
    ((bottom ?? 1) - (top ?? 0)) * natural.height,
  ]
  const box = turned({ width: wide, height: high }, now.turns)
  const fit = Math.min(room.width / box.width, room.height / box.height) * 0.7
  const zoom = roundZoom(clamp(fit, now.zoom, Math.max(now.zoom, 1)), IMAGE_ZOOM)
  return { ...now, zoom, x: room.width / 2 - x * width * zoom, y: room.height / 2 - y * height * zoom }
}

function turnPoint(x: number, y: number, turns: number): [number, number] {
  if (turns === 1) return [1 - y, x]
  if (turns === 2) return [1 - x, 1 - y]
  return turns === 3 ? [y, 1 - x] : [x, y]
}

const half = ({ width, height }: Size): Point => ({ x: width / 2, y: height / 2 })

function sizeOf(element: HTMLElement | null): Size {
  return { width: element?.clientWidth ?? 0, height: element?.clientHeight ?? 0 }
}
