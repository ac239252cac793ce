import clsx from 'clsx'
import { categoryOf, chipLabel } from '#shared/knowledge/documents/file-kinds.ts'
import './file-tile.css'

type FileTileProps = {
  extension: string
  size?: 'sm' | 'md' | 'lg'
  /** A chip knows six labels; elsewhere what is no office file is named by its extension. */
  isChip?: boolean
  className?: string
}

/** What kind of file it is, in a square of letters. */
export function FileTile({ extension, size = 'md', isChip = false, className }: FileTileProps) {
  const label = isChip ? chipLabel(extension) : labelOf(extension)
  return (
    <span
      aria-hidden
      className={clsx('file-tile', className)}
      data-size={size}
      data-long={label.length > 3 || undefined}
    >
      {label}
    </span>
  )
}

/** The label of a tile: of office files their kind, of all others the extension. */
export function labelOf(extension: string): string {
  const category = categoryOf(extension)
  if (category === 'office') return chipLabel(extension)
  return extension === '' ? 'FILE' : extension.slice(0, 4).toUpperCase()
}

/** Up to four phases in a line of 2 px; `share` (0 to 1) is of the last one begun. */
export function PhaseBar({
  done,
  share,
  isFailed = false,
}: {
  done: number
  share: number
  isFailed?: boolean
}) {
  return (
    <span aria-hidden className="phases">
      {[0, 1, 2, 3].map((phase) => (
        <i key={phase} data-state={stateOf(phase, done, isFailed)}>
          {phase === done && <b style={{ width: `${Math.round((isFailed ? 1 : share) * 100)}%` }} />}
        </i>
      ))}
    </span>
  )
}

/** A line that fills; `value` from 0 to 100. */
export function FillBar({ value, className }: { value: number; className?: string }) {
  return (
    <span aria-hidden className={clsx('fill-bar', className)}>
      <i style={{ width: `${value}%` }} />
    </span>
  )
}

function stateOf(phase: number, done: number, isFailed: boolean) {
  if (phase < done) return 'done'
  if (phase > done) return undefined
  return isFailed ? 'failed' : 'now'
}
