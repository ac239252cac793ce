import clsx from 'clsx'
import { Circle, CircleCheck, CirclePause, CircleX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Spinner } from './states/spinner.tsx'

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'line'

/** A short fact about a thing. Colour is never the only signal, so give it text, and an icon for a state. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
  className,
}: {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <span
      className={clsx(
        'inline-flex h-5 flex-none items-center gap-1 rounded-pill px-1.5 text-12 leading-none font-medium whitespace-nowrap [&>svg]:icon-12',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}

export type Status = 'running' | 'waiting' | 'done' | 'failed' | 'pending'

/** The icon of a state, followed by its word. */
export function StatusMark({ status, className }: { status: Status; className?: string }) {
  if (status === 'running') return <Spinner className={clsx('text-accent', className ?? 'icon-12')} />
  const Icon = icons[status]
  return <Icon aria-hidden className={clsx(inks[status], className ?? 'icon-12')} />
}

const icons: Record<Exclude<Status, 'running'>, LucideIcon> = {
  waiting: CirclePause,
  done: CircleCheck,
  failed: CircleX,
  pending: Circle,
}
const inks = { waiting: 'text-warning', done: 'text-success', failed: 'text-danger', pending: 'text-ink-3' }
const tones: Record<Tone, string> = {
  neutral: 'bg-surface-2 text-ink-2',
  accent: 'bg-accent-soft text-accent',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  line: 'text-ink-2 ring-1 ring-line-2 ring-inset',
}
