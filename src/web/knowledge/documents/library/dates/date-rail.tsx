import type { KeyboardEvent, PointerEvent } from 'react'
import { useRef, useState } from 'react'
import { formatDate } from '../../../../platform/i18n/format.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { type Month, marksOf, monthAt, placesOf } from './months.ts'
import './date-rail.css'

type DateRailProps = {
  /** In list order. */
  months: readonly Month[]
  /** Index of the first visible document. */
  place: number
  onJump: (place: number) => void
}

/** A date rail for a long list: shows the current position, and jumps to others. */
export function DateRail({ months, place, onJump }: DateRailProps) {
  const { t } = useTranslation('documents')
  const rail = useRef<HTMLDivElement>(null)
  const [aimed, setAimed] = useState<number | null>(null)
  const { starts, total } = placesOf(months)
  const at = monthAt(starts, aimed ?? place)
  const share = (from: number) => `${(from / Math.max(1, total)) * 100}%`
  const jump = (month: number) => onJump(starts[Math.min(months.length - 1, Math.max(0, month))] ?? 0)
  const aim = ({ clientY }: PointerEvent) => {
    const { top, height } = rail.current?.getBoundingClientRect() ?? { top: 0, height: 1 }
    const wanted = Math.round(Math.min(1, Math.max(0, (clientY - top) / height)) * (total - 1))
    setAimed(wanted)
    onJump(wanted)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: months.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    jump(to)
  }
  return (
    <div
      ref={rail}
      role="slider"
      tabIndex={0}
      aria-label={t('rail.name')}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={months.length - 1}
      aria-valuenow={at}
      aria-valuetext={nameOf(months[at])}
      className="date-rail"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        aim(event)
      }}
      onPointerMove={(event) => aimed !== null && aim(event)}
      onPointerUp={() => setAimed(null)}
      onPointerCancel={() => setAimed(null)}
    >
      {marksOf(months, starts, total).map(({ month, start, isYear }) => (
        <span key={month} className="date-mark" data-year={isYear || undefined} style={{ top: share(start) }}>
          {formatDate(dayOf(month), isYear ? { year: 'numeric' } : { month: 'short' })}
        </span>
      ))}
      <b className="date-here" style={{ top: share(aimed ?? place) }} />
      {aimed !== null && (
        <span className="date-aim" style={{ top: share(aimed) }}>
          {nameOf(months[at])}
        </span>
      )}
    </div>
  )
}

const dayOf = (month: string) => `${month}-15T12:00:00`

const nameOf = (month: Month | undefined) =>
  month ? formatDate(dayOf(month.month), { month: 'long', year: 'numeric' }) : ''
