import clsx from 'clsx'

type SegmentsProps<Value extends string> = {
  /** Its name for assistive technology. */
  name: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** A few views of the same thing, one of them selected. */
export function Segments<Value extends string>({ name, value, options, onChange }: SegmentsProps<Value>) {
  return (
    <fieldset
      aria-label={name}
      data-tour="modes"
      className="inline-flex flex-none gap-0.5 rounded-control bg-surface-2 p-0.5 text-12 font-medium"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          data-tour={`mode-${option.value}`}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={clsx(
            'h-6.5 rounded-[4px] px-2.5 whitespace-nowrap hover-motion max-md:h-9 max-md:px-3',
            option.value === value ? 'bg-raised text-ink ring-1 ring-line-2' : 'text-ink-2 hover:text-ink',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
