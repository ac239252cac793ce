import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'

/** Returns the key of a choice, including none. */
export const keyOf = (assistant: ListedAssistant | null) => assistant?.id ?? 'none'

type ActiveOptions = {
  id: string
  choices: (ListedAssistant | null)[]
  current: ListedAssistant | null
  takesFocus: boolean | undefined
  onChoose: (assistant: ListedAssistant | null) => void
}

/** The highlighted choice, referenced by the focused field or list. */
export function useActiveChoice({ id, choices, current, takesFocus, onChoose }: ActiveOptions) {
  const [pointed, setPointed] = useState(keyOf(current))
  const holder = useRef<HTMLElement>(null)
  const at = Math.max(
    0,
    choices.findIndex((choice) => keyOf(choice) === pointed),
  )
  const active = choices[at]
  const activeId = active === undefined ? undefined : `${id}-${keyOf(active)}`
  // The list may load after its layer has looked for an element to focus.
  useEffect(() => {
    if (takesFocus) holder.current?.focus()
  }, [takesFocus])
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  const onKeyDown = (event: KeyboardEvent) => {
    const isField = event.currentTarget instanceof HTMLInputElement
    const chooses = event.key === 'Enter' || (event.key === ' ' && !isField)
    const next = isField && /Home|End/.test(event.key) ? undefined : steps[event.key]?.(at, choices.length)
    if (next === undefined && !chooses) return
    if (isComposing(event)) return
    event.preventDefault()
    const choice = choices[next ?? at]
    if (choice === undefined) return
    if (chooses) onChoose(choice)
    else setPointed(keyOf(choice))
  }
  return {
    active,
    activeId,
    onKeyDown,
    holder,
    point: (one: ListedAssistant | null) => setPointed(keyOf(one)),
  }
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}
