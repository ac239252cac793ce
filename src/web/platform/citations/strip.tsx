import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { IconButton } from '../ui/icon-button.tsx'

type StripProps = {
  title: string
  counts: string
  /** Shown next to the arrows. */
  aside?: ReactNode
  /** Returns how far a click scrolls, in pixels, for a visible width. */
  stepOf: (width: number) => number
  /** Minimum hidden pixels that enable an arrow. */
  edge: number
  children: ReactNode
}

/** Sources side by side, with arrows that scroll them. */
export function Strip({ title, counts, aside, stepOf, edge, children }: StripProps) {
  const { t } = useTranslation('streaming_blocks')
  const strip = useRef<HTMLUListElement>(null)
  const [more, setMore] = useState({ before: false, after: false })
  const look = useCallback(() => {
    const { scrollLeft, scrollWidth, clientWidth } = strip.current ?? document.body
    setMore({ before: scrollLeft > 1, after: scrollWidth - clientWidth - scrollLeft > edge })
  }, [edge])
  useEffect(() => {
    if (!strip.current || typeof ResizeObserver === 'undefined') return
    const seen = new ResizeObserver(look)
    seen.observe(strip.current)
    return () => seen.disconnect()
  }, [look])
  const move = (direction: 1 | -1) =>
    strip.current?.scrollBy({ left: direction * stepOf(strip.current.clientWidth), behavior: 'smooth' })
  return (
    <fieldset aria-label={title} className="grid min-w-0 gap-1.5">
      <div className="flex items-center gap-1.5 text-12">
        <span className="font-medium">{title}</span>
        <span className="num text-ink-3">{counts}</span>
        <span className="flex-1" />
        {aside}
        <IconButton name={t('passages.back')} size="sm" disabled={!more.before} onClick={() => move(-1)}>
          <ChevronLeft aria-hidden className="icon" />
        </IconButton>
        <IconButton name={t('passages.on')} size="sm" disabled={!more.after} onClick={() => move(1)}>
          <ChevronRight aria-hidden className="icon" />
        </IconButton>
      </div>
      <ul ref={strip} onScroll={look} data-more={more.after || undefined} className="passage-strip">
        {children}
      </ul>
    </fieldset>
  )
}
