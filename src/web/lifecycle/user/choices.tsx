import clsx from 'clsx'
import { type ReactNode, useId } from 'react'
import { Radio } from '../../platform/ui/checkbox.tsx'

type Choice<Value> = { value: Value; label: string; picture: ReactNode }
type ChoicesProps<Value> = {
  name: string
  value: Value
  choices: Choice<Value>[]
  onChange: (value: Value) => void
}

/** Radio group with a small picture per option; arrow keys move the selection. */
export function Choices<Value extends string>({ name, value, choices, onChange }: ChoicesProps<Value>) {
  const group = useId()
  return (
    <fieldset className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      <legend className="sr-only">{name}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className={clsx(
            'cursor-pointer overflow-hidden rounded-card border has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            choice.value === value ? 'border-accent ring-1 ring-accent' : 'border-line-2',
          )}
        >
          <span aria-hidden className="block h-[74px] border-b border-line">
            {choice.picture}
          </span>
          <span className="flex min-h-9 items-center gap-2 px-2.5 py-2 text-13 font-medium max-md:min-h-11">
            <Radio name={group} checked={choice.value === value} onChange={() => onChange(choice.value)} />
            {choice.label}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
