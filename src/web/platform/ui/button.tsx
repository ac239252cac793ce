import clsx from 'clsx'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Spinner } from './states/spinner.tsx'

type Look = {
  variant?: 'secondary' | 'primary' | 'ghost' | 'danger' | 'danger-ghost' | 'link'
  size?: 'sm' | 'md' | 'lg'
  /** Fills the width of its parent. */
  wide?: boolean
}
export type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** An icon before the text. */
    icon?: ReactNode
    /** Work is in progress: a spinner is shown, clicks do nothing, the focus stays. */
    busy?: boolean
  }

/** A button with text. At most one `primary` per view, dialog or block. */
export function Button({ variant, size, wide, icon, busy, className, children, ...rest }: ButtonProps) {
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault()
    else rest.onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={onClick}
      className={clsx(buttonLook({ variant, size, wide }), className)}
    >
      {busy ? <Spinner className="icon -ml-0.5" /> : icon}
      {children}
    </button>
  )
}

/** The classes of a button, for links that look like one. */
export function buttonLook({ variant = 'secondary', size = 'md', wide = false }: Look = {}): string {
  return clsx(
    'inline-flex items-center justify-center gap-1.5 rounded-control border font-medium whitespace-nowrap hover-motion',
    'disabled:border-transparent disabled:bg-surface-2 disabled:text-ink-3 disabled:opacity-80 [&>svg:first-child]:-ml-0.5',
    sizes[size],
    variants[variant],
    wide && 'w-full',
  )
}

const sizes = {
  sm: 'h-7 px-2.5 text-12 max-md:h-9',
  md: 'h-8 px-3 text-13 max-md:h-11',
  lg: 'h-10 px-4 text-14 max-md:h-11 max-md:text-16',
}

const variants = {
  secondary: 'border-line-2 bg-raised text-ink hover:enabled:bg-surface-2 [&>svg]:text-ink-2',
  primary: 'border-transparent bg-accent text-accent-fg hover:enabled:bg-accent-hover',
  ghost: 'border-transparent text-ink-2 hover:bg-surface-2 hover:text-ink disabled:bg-transparent',
  danger: 'border-transparent bg-danger text-danger-fg hover:enabled:brightness-95',
  'danger-ghost': 'border-transparent text-danger hover:bg-danger-soft',
  link: '!h-auto !px-0 border-transparent text-accent hover:underline disabled:bg-transparent',
}
