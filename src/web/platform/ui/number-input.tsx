import { useState } from 'react'
import { useFieldControl } from './field.tsx'
import { Input, type InputProps } from './input.tsx'

type NumberInputProps = Omit<InputProps, 'type' | 'value' | 'onChange' | 'min' | 'max'> & {
  value: number
  onValueChange: (value: number) => void
  min: number
  max: number
  /** Value of an empty field. */
  fallback: number
}

/** A whole number within limits; a value beyond them is clamped. */
export function NumberInput({ value, onValueChange, min, max, fallback, ...rest }: NumberInputProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const leave = () => {
    if (draft !== null) onValueChange(within(draft, { min, max, fallback }))
    setDraft(null)
  }
  return (
    <Input
      {...rest}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      value={draft ?? String(value)}
      onChange={({ target }) => {
        setDraft(target.value)
        const given = within(target.value, { min, max, fallback })
        if (target.value === '' || String(given) === target.value) onValueChange(given)
      }}
      onBlur={leave}
    />
  )
}

type RangeInputProps = { value: number; step: number; onValueChange: (value: number) => void }

/** A share from 0 to 1, as a slider. */
export function RangeInput({ value, step, onValueChange }: RangeInputProps) {
  const control = useFieldControl()
  return (
    <input
      {...control}
      type="range"
      min={0}
      max={1}
      step={step}
      value={value}
      onChange={(event) => onValueChange(Number(event.target.value))}
      className="h-8 w-full accent-accent max-md:h-11"
    />
  )
}

function within(
  text: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
): number {
  const number = Math.round(Number(text))
  if (text.trim() === '' || !Number.isFinite(number)) return fallback
  return Math.min(max, Math.max(min, number))
}
