import type { ReactNode } from 'react'

/** A few choices side by side, of which one is selected. */
export function Choice({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset aria-label={name} className="inline-flex flex-wrap rounded-control bg-surface-2 p-0.5">
      {children}
    </fieldset>
  )
}

type SegmentProps = {
  isOn: boolean
  disabled?: boolean | undefined
  onClick: () => void
  children: ReactNode
}

/** One of them. */
export function Segment({ isOn, disabled, onClick, children }: SegmentProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      disabled={disabled}
      onClick={onClick}
      className={`h-7 rounded-[5px] px-3 text-12 font-medium hover-motion max-md:h-10 ${isOn ? 'bg-raised text-ink ring-1 ring-line-2' : 'text-ink-2 hover:enabled:text-ink disabled:opacity-55'}`}
    >
      {children}
    </button>
  )
}
