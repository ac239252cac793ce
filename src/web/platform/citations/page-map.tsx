import type { Place } from '#shared/platform/place.ts'

const LINES = [90, 96, 84, 92, 60, 94, 96, 70, 88, 96]

/** A thumbnail of a page with the place of a passage; nothing without boxes. */
export function PageMap({ place: { boxes = [] } }: { place: Place }) {
  const page = boxes[0]?.page
  const here = boxes.filter((box) => box.page === page).map(({ box }) => box)
  if (here.length === 0) return null
  const top = Math.min(...here.map(([, y]) => y))
  const bottom = Math.max(...here.map(([, , , y]) => y))
  return (
    <span aria-hidden className="page-map">
      {LINES.map((width, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change.
        <i key={at} style={{ width: `${width}%` }} />
      ))}
      <b style={{ top: `${top * 100}%`, height: `${Math.max(4, (bottom - top) * 100)}%` }} />
    </span>
  )
}
