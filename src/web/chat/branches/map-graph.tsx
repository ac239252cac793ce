import type { MapLayout, MapLine, MapRow } from './map-layout.ts'

export const ROW_PX = 44
const firstLanePx = 22
const lanePx = 22
/** Total width of the lanes, however many there are. */
const lanesPx = 132

/** Returns the indentation of rows next to the lanes. */
export function textIndent({ lanes }: MapLayout): number {
  return laneX(lanes, lanes - 1) + 26
}

function laneX(lanes: number, lane: number): number {
  return firstLanePx + lane * Math.min(lanePx, lanesPx / Math.max(1, lanes - 1))
}

function rowY(row: number): number {
  return row * ROW_PX + ROW_PX / 2
}

type MapGraphProps = {
  layout: MapLayout
  /** Rendered rows. */
  from: number
  to: number
}

/** The lanes next to the rows: squares are the person's messages, circles replies, and the accent line is the current path. */
export function MapGraph({ layout, from, to }: MapGraphProps) {
  const { rows, lines, lanes } = layout
  const x = (lane: number) => laneX(lanes, lane)
  const drawn = lines.filter(({ fromRow, toRow }) => fromRow <= to && toRow >= from)
  // The current path is drawn on top.
  drawn.sort((a, b) => Number(a.isActive) - Number(b.isActive))
  return (
    <svg
      aria-hidden
      className="pointer-events-none absolute top-0 left-0 z-1"
      width={textIndent(layout)}
      height={rows.length * ROW_PX}
    >
      {drawn.map((line) => (
        <path
          key={`${line.kind} ${line.lane} ${line.fromRow} ${line.toRow}`}
          d={pathOf(line, x)}
          fill="none"
          stroke={line.isActive ? 'var(--accent)' : 'var(--border-strong)'}
          strokeWidth={line.isActive ? 2.5 : 1.5}
          strokeDasharray={line.kind === 'fold' ? '3 4' : undefined}
        />
      ))}
      {rows.slice(from, to).map((row, at) => (
        <MapMark key={row.id} row={row} x={x(row.lane)} y={rowY(from + at)} />
      ))}
    </svg>
  )
}

function pathOf({ kind, fromRow, toRow, fromLane, lane }: MapLine, x: (lane: number) => number): string {
  const y = rowY(toRow)
  if (kind !== 'bend') return `M${x(lane)} ${rowY(fromRow)}V${y}`
  return `M${x(fromLane)} ${y - 34}C${x(fromLane)} ${y - 10},${x(lane)} ${y - 26},${x(lane)} ${y}`
}

function MapMark({ row, x, y }: { row: MapRow; x: number; y: number }) {
  const stroke = row.isActive ? 'var(--accent)' : 'var(--border-strong)'
  const look = { fill: row.isActive ? 'var(--accent)' : 'var(--bg)', stroke, strokeWidth: 1.5 }
  if (row.folded > 0)
    return (
      <g fill={row.isActive ? 'var(--accent)' : 'var(--text-3)'}>
        <rect x={x - 9} y={y - 7} width="18" height="14" rx="7" {...look} fill="var(--bg)" />
        <circle cx={x - 4} cy={y} r="1.2" />
        <circle cx={x} cy={y} r="1.2" />
        <circle cx={x + 4} cy={y} r="1.2" />
      </g>
    )
  const isYours = row.message.role === 'user'
  return (
    <g>
      {isYours ? (
        <rect x={x - 6} y={y - 6} width="12" height="12" rx="3.5" {...look} />
      ) : (
        <circle cx={x} cy={y} r={row.isHere ? 7 : 6} {...look} />
      )}
      {row.isHere && <circle cx={x} cy={y} r="2.5" fill="var(--accent-fg)" />}
    </g>
  )
}
