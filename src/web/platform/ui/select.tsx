import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useFieldControl } from './field.tsx'
import { inputLook } from './input.tsx'

export type SelectOption = { value: string; label: string; disabled?: boolean }
export type SelectProps = Omit<ComponentProps<'select'>, 'size' | 'children' | 'onChange'> & {
  options: SelectOption[]
  size?: 'sm' | 'md' | 'lg'
  quiet?: boolean
  onValueChange?: (value: string) => void
}

/** One of a few values. The list is the system's: suitable for phones, keyboards and screen readers. */
export function Select({ options, size = 'md', quiet, onValueChange, className, ...rest }: SelectProps) {
  const control = useFieldControl()
  return (
    <span className={clsx('relative block', className)}>
      <select
        {...control}
        {...rest}
        onChange={(event) => onValueChange?.(event.target.value)}
        className={clsx(
          inputLook(quiet),
          'appearance-none truncate pr-8 focus-visible:-outline-offset-1',
          sizes[size],
        )}
      >
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="icon pointer-events-none absolute inset-y-0 right-2 my-auto text-ink-2"
      />
    </span>
  )
}

const sizes = {
  sm: 'h-7 px-2 text-12! max-md:h-9',
  md: 'h-8 px-2.5 max-md:h-11',
  lg: 'h-10 px-3 max-md:h-11',
}
