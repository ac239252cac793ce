import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import type { ElementBox } from './element-box.ts'

const GAP = 6
const LONGEST = 200

type ElementTipProps = ElementBox & { layer: RefObject<HTMLElement | null> }

/** Shows the kind of an element and its first words in a tooltip that never rotates with the page. */
export function ElementTip({ kind, text, layer }: ElementTipProps) {
  const { t } = useTranslation('documents')
  const bubble = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const anchor = layer.current?.querySelector('[data-shown]')
    if (!bubble.current || !anchor) return
    bubble.current.showPopover?.()
    place(bubble.current, anchor.getBoundingClientRect())
  }, [layer])
  const isLong = text.length > LONGEST
  return (
    <div ref={bubble} popover="manual" role="tooltip" data-kind={kind} className="element-tip">
      <b>{t(`viewer.kind.${kind}`)}</b>
      {text.trim() !== '' && <span>{isLong ? `${text.slice(0, LONGEST).trimEnd()}…` : text}</span>}
    </div>
  )
}

/** Places the tooltip above the box, or below when there is no room, always inside the window. */
function place(bubble: HTMLElement, box: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = bubble
  const above = box.top - GAP - height
  const below = Math.min(box.bottom + GAP, innerHeight - height - GAP)
  bubble.style.top = `${above < GAP ? below : above}px`
  bubble.style.left = `${Math.max(GAP, Math.min(box.left, innerWidth - width - GAP))}px`
}
