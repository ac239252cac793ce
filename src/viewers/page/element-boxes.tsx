import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DocumentPart } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { boxesOf, type ElementBox } from './element-box.ts'
import { ElementTip } from './element-tip.tsx'
import { areaOf, isInside, placeOf } from './place.ts'

type ElementBoxesProps = {
  part: DocumentPart
  /** Element that receives pointer events; the boxes lie below its text. */
  page: RefObject<HTMLElement | null>
  /** A passage is cited: boxes show on hover and focus only. */
  isCited: boolean
}

/** Draws the elements of a page in the colours of their kinds, with a tooltip on hover and focus. */
export function ElementBoxes({ part, page, isCited }: ElementBoxesProps) {
  const { t } = useTranslation('documents')
  const boxes = useMemo(() => boxesOf(part), [part])
  const layer = useRef<HTMLFieldSetElement>(null)
  const [pointed, setPointed] = useState<string | null>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [stop, setStop] = useState(0)
  usePointed(page, layer, boxes, setPointed)
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setFocused(null)
    const next = nextStop(event.key, stop, boxes.length)
    if (next === null) return
    event.preventDefault()
    event.stopPropagation()
    setStop(next)
    layer.current?.querySelectorAll<HTMLElement>('.element-box')[next]?.focus()
  }
  const shown = boxes.find(({ id }) => id === (pointed ?? focused))
  return (
    <fieldset
      ref={layer}
      aria-label={t('viewer.elements_of', { page: part.number })}
      onKeyDown={onKey}
      data-cited={isCited || undefined}
      className="page-elements"
    >
      {boxes.map(({ id, kind, text, box }, at) => (
        <span
          key={id}
          role="img"
          tabIndex={at === Math.min(stop, boxes.length - 1) ? 0 : -1}
          aria-label={`${t(`viewer.kind.${kind}`)}: ${text}`}
          data-kind={kind}
          data-shown={shown?.id === id || undefined}
          className="element-box"
          style={placeOf(box)}
          onFocus={() => setFocused(id)}
          onBlur={() => setFocused(null)}
        />
      ))}
      {shown && <ElementTip key={shown.id} {...shown} layer={layer} />}
    </fieldset>
  )
}

function nextStop(key: string, now: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(count - 1, now + 1)
  if (key === 'ArrowUp') return Math.max(0, now - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

/** Returns the smallest box under the pointer; on touch screens, under a tap. */
function usePointed(
  page: RefObject<HTMLElement | null>,
  layer: RefObject<HTMLElement | null>,
  boxes: readonly ElementBox[],
  setPointed: (id: string | null) => void,
): void {
  // A layout effect, so that boxes react as soon as they are visible.
  useLayoutEffect(() => {
    const element = page.current
    if (!element) return
    /** Pointer position over a box. */
    let at: Point | null = null
    const show = (point: Point) => {
      const found = [...(layer.current?.querySelectorAll<HTMLElement>('.element-box') ?? [])]
        .flatMap((box, number) => (isOver(box, point) ? (boxes[number] ?? []) : []))
        .sort((a, b) => areaOf(a.box) - areaOf(b.box))
      at = found[0] ? point : null
      setPointed(found[0]?.id ?? null)
    }
    const point = (event: PointerEvent) => {
      const isMove = event.type === 'pointermove'
      if (isMove && (event.pointerType === 'touch' || event.buttons > 0)) return
      show({ clientX: event.clientX, clientY: event.clientY })
    }
    const leave = () => {
      at = null
      setPointed(null)
    }
    // Scrolling after a page changes its size moves the boxes under the pointer.
    const look = () => at && show(at)
    element.addEventListener('pointermove', point)
    element.addEventListener('click', point as EventListener)
    element.addEventListener('pointerleave', leave)
    document.addEventListener('scroll', look, true)
    return () => {
      element.removeEventListener('pointermove', point)
      element.removeEventListener('click', point as EventListener)
      element.removeEventListener('pointerleave', leave)
      document.removeEventListener('scroll', look, true)
    }
  }, [page, layer, boxes, setPointed])
}

type Point = Pick<PointerEvent, 'clientX' | 'clientY'>

function isOver(element: HTMLElement, { clientX, clientY }: Point): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return isInside([left, top, right, bottom], clientX, clientY)
}
