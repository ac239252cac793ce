import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

export type IconButtonProps = Omit<ComponentProps<'button'>, 'name' | 'children'> & {
  /** The action as text: its accessible name and its tooltip. */
  name: string
  /** The icon. */
  children: ReactNode
  size?: 'xs' | 'sm' | 'md' | 'lg'
  variant?: 'ghost' | 'lined' | 'danger'
  /** Shown as switched on (`aria-pressed` or `aria-expanded` tell assistive technology). */
  on?: boolean
  /** Keys shown in the tooltip, such as `Ctrl K`. */
  keys?: string
  /** A number at the corner; 0 is hidden. */
  count?: number
}

/** A button with only an icon; it always has a name. */
export function IconButton({
  name,
  children,
  size = 'md',
  variant = 'ghost',
  on,
  keys,
  count = 0,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      data-tip={name}
      data-tip-keys={keys}
      {...rest}
      className={clsx(
        'relative inline-grid flex-none place-items-center rounded-control hover-motion',
        'disabled:text-ink-3 disabled:opacity-55',
        sizes[size],
        variants[variant],
        on ? 'bg-surface-2 text-ink' : 'text-ink-2',
        className,
      )}
    >
      {children}
      {count > 0 && (
        <span className="num absolute top-px right-0 h-4 min-w-4 rounded-pill bg-accent px-1 text-center text-11 leading-4 font-semibold text-accent-fg ring-2 ring-bg">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </button>
  )
}

const sizes = {
  xs: 'size-6 max-md:size-8',
  sm: 'size-7 max-md:size-9',
  md: 'size-8 max-md:size-11',
  lg: 'size-9 max-md:size-11',
}

const variants = {
  ghost: 'hover:enabled:bg-surface-2 hover:enabled:text-ink',
  lined: 'border border-line-2 bg-raised hover:enabled:bg-surface-2 hover:enabled:text-ink',
  danger: 'hover:enabled:bg-danger-soft hover:enabled:text-danger',
}
