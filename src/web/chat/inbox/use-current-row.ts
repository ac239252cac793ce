import { type FocusEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** The row for keyboard actions, and its focus. If it disappears, the next one takes its place and its focus. */
export function useCurrentRow(list: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const [current, setCurrent] = useState<string | null>(null)
  const place = useRef(0)
  const hasFocus = useRef(false)
  const found = current === null ? -1 : ids.indexOf(current)
  const at = found < 0 ? Math.min(place.current, ids.length - 1) : found
  const currentId = ids[at] ?? null
  const rowOf = useCallback(
    (id: string | null) =>
      list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id ?? '')}"]`) ?? null,
    [list],
  )
  useEffect(() => {
    place.current = at
  }, [at])
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) rowOf(currentId)?.focus()
  }, [currentId, rowOf])
  const onFocus = (id: string) => {
    hasFocus.current = true
    setCurrent(id)
  }
  // A removed element with the focus has no related target.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    hasFocus.current = relatedTarget === null || (list.current?.contains(relatedTarget) ?? false)
  }
  const move = (by: number) => {
    const next = ids[Math.min(ids.length - 1, Math.max(0, at + by))]
    if (next === undefined) return
    setCurrent(next)
    const row = rowOf(next)
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  return { currentId, rowOf, move, onFocus, onBlur }
}
