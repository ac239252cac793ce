import clsx from 'clsx'
import { Check, Minus } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

type CheckedProps = Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'children'> & {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  /** The text next to it; without it, set an `aria-label`. */
  label?: ReactNode
}

/** On, off, or `mixed` for several. */
export function Checkbox({
  checked,
  onCheckedChange,
  label,
  mixed = false,
  className,
  ...rest
}: CheckedProps & { mixed?: boolean }) {
  const Icon = mixed ? Minus : Check
  const box = (
    <span className="relative inline-grid size-4 flex-none place-items-center">
      <input
        {...rest}
        type="checkbox"
        checked={checked}
        ref={(input) => {
          if (input) input.indeterminate = mixed
        }}
        onChange={(event) => onCheckedChange(event.target.checked)}
        className="peer absolute inset-0 m-0 cursor-pointer appearance-none rounded-tag border border-line-strong bg-raised checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:cursor-default disabled:opacity-55"
      />
      <Icon
        aria-hidden
        className="pointer-events-none relative size-3 stroke-3 text-transparent peer-checked:text-accent-fg peer-indeterminate:text-accent-fg"
      />
    </span>
  )
  return withLabel(box, label, className)
}

/** Switches something on or off immediately. */
export function Switch({ checked, onCheckedChange, label, className, ...rest }: CheckedProps) {
  const track = (
    <span className="relative inline-block h-4.5 w-7.5 flex-none">
      <input
        {...rest}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onCheckedChange(event.target.checked)}
        className="peer absolute inset-0 m-0 cursor-pointer appearance-none rounded-pill bg-line-strong hover-motion checked:bg-accent disabled:cursor-default disabled:opacity-55"
      />
      <span className="pointer-events-none absolute top-0.5 left-0.5 size-3.5 rounded-pill bg-raised transition-[translate] duration-(--d-hover) peer-checked:translate-x-3 peer-checked:bg-accent-fg" />
    </span>
  )
  return withLabel(track, label, className)
}

function withLabel(control: ReactNode, label: ReactNode, className: string | undefined) {
  if (label === undefined) return <span className={clsx('inline-flex', className)}>{control}</span>
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is inside.
    <label
      className={clsx('inline-flex cursor-pointer items-center gap-2 text-14 max-md:min-h-11', className)}
    >
      {control}
      <span>{label}</span>
    </label>
  )
}

/** One of several choices, inside its label. */
export function Radio({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <input
      {...rest}
      type="radio"
      className={clsx(
        'm-0 size-4 flex-none appearance-none rounded-pill border border-line-strong bg-raised checked:border-5 checked:border-accent',
        className,
      )}
    />
  )
}
