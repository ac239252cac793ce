import { useState } from 'react'
import { isComposing } from '../../../platform/lib/enter-key.ts'
import { Input } from '../../../platform/ui/input.tsx'

type TimeProps = { name: string; minute: number; onChange: (minute: number) => void }

/** A time of day in minutes after midnight. It changes when the field is left, so that half-typed times are not stored. */
export function TimeField({ name, minute, onChange }: TimeProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const leave = () => {
    const [hours, minutes] = (typed ?? '').split(':').map(Number)
    setTyped(null)
    if (hours === undefined || minutes === undefined || Number.isNaN(hours + minutes)) return
    if (hours * 60 + minutes !== minute) onChange(hours * 60 + minutes)
  }
  return (
    <span className="inline-block w-32 flex-none">
      <Input
        type="time"
        aria-label={name}
        className="max-md:h-11"
        value={typed ?? textOf(minute)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Enter' && !isComposing(event) && leave()}
      />
    </span>
  )
}

const textOf = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
