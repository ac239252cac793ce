import { useEffect, useRef, useState } from 'react'
import { Kbd } from '../kbd.tsx'

const DELAY_MS = 450
const GAP = 6

type Tip = { text: string; keys: string | undefined; anchor: Element }

/**
 * One tooltip for the whole page: shows the `data-tip` of the hovered or keyboard-focused element. Names stay on the
 * controls themselves, so this layer is hidden from assistive technology. Escape hides it.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null)
  const bubble = useRef<HTMLDivElement>(null)
  useTipEvents(setTip)
  useEffect(() => {
    const element = bubble.current
    if (!tip || !element) return
    element.showPopover?.()
    place(element, tip.anchor)
  }, [tip])
  if (!tip) return null
  return (
    <div
      ref={bubble}
      popover="manual"
      aria-hidden
      className="pointer-events-none fixed inset-auto m-0 max-w-72 items-center gap-1.5 rounded-control border-0 bg-ink px-2 py-1 text-12 font-medium text-bg"
    >
      <span className="inline-flex items-center gap-1.5">
        {tip.text}
        {tip.keys && <Kbd>{tip.keys}</Kbd>}
      </span>
    </div>
  )
}

function useTipEvents(setTip: (tip: Tip | null) => void) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let current: Element | null = null
    const hide = () => {
      clearTimeout(timer)
      current = null
      setTip(null)
    }
    const consider = (target: EventTarget | null, delay: number) => {
      const anchor = target instanceof Element ? target.closest('[data-tip]') : null
      if (anchor === current) return
      hide()
      current = anchor
      if (!anchor || anchor.getAttribute('aria-expanded') === 'true') return
      timer = setTimeout(() => {
        if (anchor.isConnected) setTip(readTip(anchor))
      }, delay)
    }
    const onOver = (event: PointerEvent) => event.pointerType === 'mouse' && consider(event.target, DELAY_MS)
    // Focus set by opening something shows no tooltip; only moving by key does.
    let isMoving = false
    const onFocus = ({ target }: FocusEvent) => isMoving && consider(target, 0)
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide()
      isMoving = key === 'Tab' || key.startsWith('Arrow')
      setTimeout(() => {
        isMoving = false
      })
    }
    document.addEventListener('pointerover', onOver)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', hide)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('keydown', onKey, true)
    window.addEventListener('scroll', hide, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', onOver)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('keydown', onKey, true)
      window.removeEventListener('scroll', hide, true)
    }
  }, [setTip])
}

function readTip(anchor: Element): Tip {
  return {
    text: anchor.getAttribute('data-tip') ?? '',
    keys: anchor.getAttribute('data-tip-keys') ?? undefined,
    anchor,
  }
}

/** Placed below the anchor, above it if there is no room, and always inside the window. */
function place(bubble: HTMLElement, anchor: Element) {
  const box = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = bubble
  const below = box.bottom + GAP
  const top = below + height > innerHeight - 4 ? box.top - GAP - height : below
  const left = Math.min(Math.max(4, box.left + box.width / 2 - width / 2), innerWidth - width - 4)
  bubble.style.top = `${top}px`
  bubble.style.left = `${left}px`
}
