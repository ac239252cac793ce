import clsx from 'clsx'
import { CircleAlert, CircleCheck, CircleX, Info, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export type CalloutProps = {
  tone?: 'neutral' | 'accent' | 'success' | 'warning' | 'danger'
  /** Replaces the icon of its tone. */
  icon?: LucideIcon
  /** The event, in a few words. */
  title?: ReactNode
  /** The consequences and the next step. */
  children?: ReactNode
  /** A button or link at the end. */
  action?: ReactNode
  className?: string
}

/** A message shown in context. An error is announced immediately. */
export function Callout({ tone = 'neutral', icon, title, children, action, className }: CalloutProps) {
  const Icon = icon ?? icons[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : tone === 'neutral' ? undefined : 'status'}
      className={clsx(
        'flex items-start gap-2.5 rounded-card px-3.5 py-3 text-13 leading-[19px]',
        tones[tone],
        className,
      )}
    >
      <Icon aria-hidden className="icon mt-[1.5px]" />
      <div className="min-w-0 flex-1 text-ink">
        {title && <span className="font-medium">{title} </span>}
        {children}
      </div>
      {action}
    </div>
  )
}

const icons = { neutral: Info, accent: Info, success: CircleCheck, warning: CircleAlert, danger: CircleX }
const tones = {
  neutral: 'bg-surface-2 text-ink-2',
  accent: 'bg-accent-soft text-accent',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}
