import clsx from 'clsx'
import { useFieldControl } from '../../platform/ui/field.tsx'

type ChoiceProps<Value extends string | boolean> = {
  name: string
  options: { value: Value; label: string }[]
  value: Value | null
  onChange: (value: Value) => void
}

/** A choice of two or three answers, side by side. Arrow keys move between them. */
export function Choice<Value extends string | boolean>({
  name,
  options,
  value,
  onChange,
}: ChoiceProps<Value>) {
  const control = useFieldControl()
  return (
    <fieldset
      aria-label={name}
      aria-describedby={control['aria-describedby']}
      className="inline-flex w-fit rounded-control bg-surface-2 p-0.5"
    >
      {options.map((option, at) => (
        <label
          key={String(option.value)}
          className={clsx(
            'relative inline-flex h-7 cursor-pointer items-center rounded-[5px] px-4 text-13 font-medium hover-motion max-md:h-10',
            'has-focus-visible:outline-2 has-focus-visible:outline-focus',
            value === option.value ? 'bg-raised text-ink ring-1 ring-line-2' : 'text-ink-2 hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name + (control.id ?? '')}
            id={at === 0 ? control.id : undefined}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
