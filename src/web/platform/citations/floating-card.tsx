import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

const GAP = 6
const EDGE = 8

type FloatingCardProps = {
  anchor: RefObject<HTMLElement | null>
  name: string
  children: ReactNode
}

/** A small panel next to its anchor, above everything else; on a phone a sheet at the bottom. */
export function FloatingCard({ anchor, name, children }: FloatingCardProps) {
  const card = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    card.current?.showPopover?.()
  }, [])
  // Its content may have grown.
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
  // For a link over two lines the end counts, where the number is.
  const box = [...anchor.getClientRects()].at(-1) ?? anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = card
  const below = box.bottom + GAP
  const top = below + height > innerHeight - EDGE ? Math.max(EDGE, box.top - GAP - height) : below
  const left = Math.min(Math.max(EDGE, box.left + box.width / 2 - width / 2), innerWidth - width - EDGE)
  card.style.setProperty('--top', `${top}px`)
  card.style.setProperty('--left', `${left}px`)
}
