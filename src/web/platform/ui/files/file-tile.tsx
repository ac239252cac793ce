import clsx from 'clsx'
import { categoryOf, chipLabel } from '#shared/knowledge/documents/file-kinds.ts'
import './file-tile.css'

type FileTileProps = {
  extension: string
  size?: 'sm' | 'md' | 'lg'
  /** A chip has six labels; elsewhere, files other than office files show their extension. */
  isChip?: boolean
  className?: string
}

/** The kind of a file as letters in a square. */
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

/** Returns the label of a tile: the kind for office files, the extension for others. */
export function labelOf(extension: string): string {
  const category = categoryOf(extension)
  if (category === 'office') return chipLabel(extension)
  return extension === '' ? 'FILE' : extension.slice(0, 4).toUpperCase()
}

/** Up to four phases in a line of 2 px; `share` (0 to 1) is the progress of the current one. */
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

/** A progress bar; `value` is from 0 to 100. */
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
