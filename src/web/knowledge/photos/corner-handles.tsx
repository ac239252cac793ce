import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import type { Corners, Point } from './homography.ts'

/** Share of the photo by which an arrow key moves a corner; ten times as far with Shift. */
const STEP = 0.005
const names = ['top_left', 'top_right', 'bottom_right', 'bottom_left'] as const
const directions: Record<string, Point> = {
  ...{ ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 } },
  ...{ ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 } },
}

type CornerHandlesProps = {
  picture: ImageBitmap
  address: string
  /** In pixels of the picture. */
  corners: Corners
  onChange: (corners: Corners) => void
}

/** A photo with four handles, which are dragged or moved with the arrow keys. */
export function CornerHandles({
  picture: { width, height },
  address,
  corners,
  onChange,
}: CornerHandlesProps) {
  const { t } = useTranslation('photos')
  const frame = useRef<HTMLDivElement>(null)
  const move = (at: number, { x, y }: Point) => {
    const within = { x: Math.min(width, Math.max(0, x)), y: Math.min(height, Math.max(0, y)) }
    onChange(corners.map((corner, index) => (index === at ? within : corner)) as unknown as Corners)
  }
  const drag = (at: number) => (event: PointerEvent<HTMLButtonElement>) => {
    const box = frame.current?.getBoundingClientRect()
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    const x = ((event.clientX - box.left) / box.width) * width
    move(at, { x, y: ((event.clientY - box.top) / box.height) * height })
  }
  const step = (at: number, corner: Point) => (event: KeyboardEvent) => {
    const direction = directions[event.key]
    if (!direction) return
    event.preventDefault()
    const length = Math.max(width, height) * STEP * (event.shiftKey ? 10 : 1)
    move(at, { x: corner.x + direction.x * length, y: corner.y + direction.y * length })
  }
  return (
    <div
      ref={frame}
      // Its width follows from the largest height.
      style={{ aspectRatio: `${width} / ${height}`, width: `min(100%, ${(58 * width) / height}dvh)` }}
      className="relative mx-auto mt-3 touch-none select-none"
    >
      <img src={address} alt={t('photo')} draggable={false} className="size-full rounded-row" />
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible text-accent"
      >
        <polygon
          points={corners.map(({ x, y }) => `${x},${y}`).join(' ')}
          fill="currentColor"
          fillOpacity={0.12}
          stroke="currentColor"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {corners.map((corner, at) => (
        <button
          key={names[at]}
          type="button"
          aria-label={t(`corner.${names[at] ?? 'top_left'}`)}
          aria-describedby="corner-keys"
          style={{ left: `${(corner.x / width) * 100}%`, top: `${(corner.y / height) * 100}%` }}
          className="absolute grid size-11 -translate-1/2 cursor-grab touch-none place-items-center rounded-pill outline-none focus-visible:outline-2 focus-visible:outline-accent active:cursor-grabbing"
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag(at)}
          onKeyDown={step(at, corner)}
        >
          <span className="size-4 rounded-pill border-2 border-bg bg-accent shadow-float" />
        </button>
      ))}
      <span id="corner-keys" className="sr-only">
        {t('keys')}
      </span>
    </div>
  )
}
