import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { MAX_PANEL, PANEL_MIN, setPanelWidth, useChatPanel } from '../../platform/lib/chat-panel.ts'

const STEP = 16

/** Left edge of the right sidebar. Resizes it by drag or arrow keys. */
export function PanelGrip({ natural }: { natural: number }) {
  const { t } = useTranslation('streaming_blocks')
  const width = useChatPanel((state) => state.width) ?? natural
  const from = useRef<{ x: number; width: number } | null>(null)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = { x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth || width }
  }
  const onPointerMove = (event: PointerEvent) => {
    if (from.current) setPanelWidth(from.current.width + from.current.x - event.clientX)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = widthAfter(event.key, width)
    if (next === null) return
    event.preventDefault()
    setPanelWidth(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no rule between paragraphs.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('panel.resize')}
      aria-valuenow={width}
      aria-valuemin={PANEL_MIN}
      aria-valuemax={MAX_PANEL}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = null
      }}
      onDoubleClick={() => setPanelWidth(natural)}
      onKeyDown={onKeyDown}
      className="group/grip absolute inset-y-0 -left-1 z-1 grid w-2 cursor-col-resize touch-none place-items-center focus-visible:-outline-offset-2"
    >
      <span
        aria-hidden
        className="h-8 w-1 rounded-pill bg-line-strong opacity-55 group-hover/grip:opacity-100 group-focus-visible/grip:opacity-100"
      />
    </div>
  )
}

/** Left widens the sidebar: the edge moves in the direction of the arrow. */
function widthAfter(key: string, width: number): number | null {
  if (key === 'ArrowLeft') return width + STEP
  if (key === 'ArrowRight') return width - STEP
  if (key === 'Home') return PANEL_MIN
  return key === 'End' ? MAX_PANEL : null
}
