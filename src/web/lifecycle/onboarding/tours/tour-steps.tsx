import { Popover } from '@base-ui/react/popover'
import { X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { findOnPage } from './on-page.ts'
import type { Step, Tour } from './tours.ts'
import { useTourSteps } from './use-tour-steps.ts'

type TourStepsProps = {
  tour: Tour
  /** Called when the tour is finished or skipped. */
  onEnd: () => void
  /** Called when the target of a step did not appear. */
  onLost: () => void
}

/** Active tour: highlights the current target and explains it next to it. */
export function TourSteps({ tour, onEnd, onLost }: TourStepsProps) {
  const { at, target, isBusy, next, back } = useTourSteps(tour, { onEnd, onLost })
  const nextButton = useRef<HTMLButtonElement>(null)
  const step = tour.steps[at]
  // biome-ignore lint/correctness/useExhaustiveDependencies: every step moves the focus.
  useEffect(() => nextButton.current?.focus(), [target])
  if (!target || !step) return null
  const over = step.over ? findOnPage(step.over) : null
  return (
    <>
      <Ring target={target} isBright={step.isBright ?? false} />
      <Popover.Root
        open
        // The person may act outside the step, so only Escape ends it.
        onOpenChange={(open, { reason }) => !open && reason === 'escape-key' && onEnd()}
      >
        <Popover.Portal>
          <Popover.Positioner
            anchor={over ?? target}
            side="top"
            align="start"
            sideOffset={over ? ({ anchor }) => -anchor.height : 14}
            collisionPadding={12}
            className="tour-place"
          >
            <StepPopup
              {...{ tour, at, step, isBusy, nextButton }}
              hasArrow={!over}
              onNext={next}
              onBack={back}
              onSkip={onEnd}
            />
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </>
  )
}

type StepPopupProps = {
  tour: Tour
  at: number
  step: Step
  isBusy: boolean
  hasArrow: boolean
  nextButton: RefObject<HTMLButtonElement | null>
  onNext: () => void
  onBack: () => void
  onSkip: () => void
}

function StepPopup({ tour, at, step, isBusy, hasArrow, nextButton, onNext, onBack, onSkip }: StepPopupProps) {
  const { t } = useTranslation('onboarding')
  const place = { n: at + 1, count: tour.steps.length }
  const words = `tours.${tour.key}.${step.key}`
  const isLast = place.n === place.count
  const message = t([`tours.${tour.key}.${messageOf(step)}`, ''])
  return (
    <Popover.Popup
      aria-label={t('tour.label', { ...place, name: tour.name })}
      aria-describedby="tour-text"
      initialFocus={nextButton}
      finalFocus={() => document.querySelector<HTMLElement>('[data-help]')}
      className="tour-popup"
    >
      {hasArrow && <Popover.Arrow className="tour-arrow" />}
      <div className="tour-head">
        <span className="tour-name">{tour.name}</span>
        <span className="num">{t('tour.position', place)}</span>
        <IconButton name={t('tour.stop')} size="xs" onClick={onSkip}>
          <X aria-hidden className="icon-14" />
        </IconButton>
      </div>
      <h2 className="tour-title">{t(`${words}.title`)}</h2>
      <p id="tour-text" className="tour-text">
        {t(`${words}.text`, { message })}
      </p>
      <div aria-hidden className="tour-bar">
        <span style={{ width: `${(place.n / place.count) * 100}%` }} />
      </div>
      <div className="tour-foot">
        <Button variant="ghost" size="sm" onClick={onSkip}>
          {t('tour.skip')}
        </Button>
        <span className="flex-1" />
        {at > 0 && (
          <Button size="sm" onClick={onBack}>
            {t('tour.back')}
          </Button>
        )}
        <Button ref={nextButton} variant="primary" size="sm" busy={isBusy} onClick={onNext}>
          {t(isBusy ? 'tour.waiting' : isLast ? 'tour.finish' : 'tour.next')}
        </Button>
      </div>
    </Popover.Popup>
  )
}

/** Returns the message sent after a step, which the step shows before. */
function messageOf({ key }: Step): string {
  if (key === 'ask') return 'message'
  return key === 'picture' ? 'picture_message' : 'web_message'
}

/** Gap between the target and its ring, in pixels. */
const RING_GAP = 4

/** Marks the target and follows its position; darkens everything else unless it is bright. */
function Ring({ target, isBright }: { target: HTMLElement; isBright: boolean }) {
  const ring = useRef<HTMLDivElement>(null)
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    let frame = 0
    const follow = () => {
      const { left, top, width, height } = target.getBoundingClientRect()
      Object.assign(ring.current?.style ?? {}, {
        left: `${left - RING_GAP}px`,
        top: `${top - RING_GAP}px`,
        width: `${width + 2 * RING_GAP}px`,
        height: `${height + 2 * RING_GAP}px`,
        borderRadius: `calc(${getComputedStyle(target).borderRadius || '0px'} + ${RING_GAP}px)`,
      })
      setThere(true)
      frame = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(frame)
  }, [target])
  // Above everything, wherever the help button is.
  return createPortal(
    <div
      ref={ring}
      aria-hidden
      data-bright={isBright || undefined}
      className="tour-ring"
      hidden={!isThere}
    />,
    document.body,
  )
}
