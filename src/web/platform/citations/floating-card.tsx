import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

const GAP = 6
const EDGE = 8

type FloatingCardProps = {
  anchor: RefObject<HTMLElement | null>
  name: string
  children: ReactNode
}

/** A small panel beside what it belongs to, above all else; on a phone it is a sheet at the lower edge. */
export function FloatingCard({ anchor, name, children }: FloatingCardProps) {
  const card = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    card.current?.showPopover?.()
  }, [])
  // What it shows may have become larger.
  useLayoutEffect(() => {
    if (card.current && anchor.current) place(card.current, anchor.current)
  })
  return (
    <span ref={card} popover="manual" role="dialog" aria-label={name} className="floating-card">
      {children}
    </span>
  )
}

function place(card: HTMLElement, anchor: HTMLElement) {
  // Of a link over two lines the end, where the number stands.
  const box = [...anchor.getClientRects()].at(-1) ?? anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = card
  const below = box.bottom + GAP
  const top = below + height > innerHeight - EDGE ? Math.max(EDGE, box.top - GAP - height) : below
  const left = Math.min(Math.max(EDGE, box.left + box.width / 2 - width / 2), innerWidth - width - EDGE)
  card.style.setProperty('--top', `${top}px`)
  card.style.setProperty('--left', `${left}px`)
}
