import clsx from 'clsx'
import type { ReactNode } from 'react'

export type EmptyStateProps = {
  icon?: ReactNode
  title: ReactNode
  /** The purpose of this place, or the error and what was saved. */
  children?: ReactNode
  /** At most one action. */
  action?: ReactNode
  /** The whole view is empty: larger, aligned left. */
  page?: boolean
  className?: string
}

/** Explains an empty place and offers one action. */
export function EmptyState({ icon, title, children, action, page = false, className }: EmptyStateProps) {
  if (page)
    return (
      <div
        className={clsx(
          'mx-auto flex w-full max-w-[528px] flex-1 flex-col justify-center px-6 pb-15',
          className,
        )}
      >
        {icon && <Tile>{icon}</Tile>}
        <h2 className="mt-5 mb-2 text-28 leading-[34px] font-medium tracking-[-0.025em]">{title}</h2>
        {children && <div className="text-15 text-ink-2">{children}</div>}
        {action && <div className="mt-5 flex flex-wrap gap-2">{action}</div>}
      </div>
    )
  return (
    <div className={clsx('flex flex-col items-center gap-1 p-7 text-center', className)}>
      {icon && <Tile>{icon}</Tile>}
      <div className={clsx('font-medium', icon && 'mt-2')}>{title}</div>
      {children && <div className="max-w-[280px] text-13 text-ink-2">{children}</div>}
      {action && <div className="mt-2.5 flex gap-2">{action}</div>}
    </div>
  )
}

/** A square with an icon. */
export function Tile({ children, tone = 'neutral' }: { children: ReactNode; tone?: 'neutral' | 'accent' }) {
  return (
    <span
      className={clsx(
        'inline-grid size-10 flex-none place-items-center rounded-card [&>svg]:icon-18',
        tone === 'accent' ? 'bg-accent-soft text-accent' : 'bg-surface-2 text-ink-2',
      )}
    >
      {children}
    </span>
  )
}
