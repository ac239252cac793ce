import { useState } from 'react'
import { Badge } from '../../platform/ui/badge.tsx'

export { ChangedLines } from './changed-lines.tsx'

/**
 * Returns the two versions to compare, the older one first, and a function that chooses one. `numbers` are the listed
 * versions, newest first. Until two are chosen, the newest is compared with the one before it.
 */
export function useVersionPair(numbers: readonly number[]) {
  const [chosen, setChosen] = useState<number[]>([])
  const usual = numbers.slice(0, 2)
  const [a = null, b = null] = (chosen.length === 2 ? chosen : usual).toSorted((x, y) => x - y)
  const marked = chosen.length > 0 ? chosen : usual
  const choose = (version: number) =>
    setChosen((now) =>
      now.includes(version) ? now.filter((one) => one !== version) : [...now, version].slice(-2),
    )
  return { a, b, isOn: (version: number) => marked.includes(version), choose }
}

type VersionRowProps = {
  name: string
  /** Says that it is the version in use; null for others. */
  inUse: string | null
  when: string
  change: string
  author: string
  isOn: boolean
  onChoose: () => void
}

/** A saved version, with a checkbox that chooses it for a comparison. */
export function VersionRow({ name, inUse, when, change, author, isOn, onChoose }: VersionRowProps) {
  return (
    <label className={`flex cursor-pointer gap-3 px-3.5 py-2.5 text-13 ${isOn ? 'bg-accent-soft' : ''}`}>
      <input type="checkbox" className="mt-1 accent-accent" checked={isOn} onChange={onChoose} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <b className="num font-medium">{name}</b>
          {inUse && <Badge tone="line">{inUse}</Badge>}
          <span className="ml-auto text-12 text-ink-3">{when}</span>
        </span>
        <span className="block text-ink-2">{change}</span>
        <span className="block text-12 text-ink-3">{author}</span>
      </span>
    </label>
  )
}
