import { Dialog } from '@base-ui/react/dialog'
import { Check, Compass, X } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { suggested, type TourKey, tourIn } from '../tours/tours.ts'
import { SlideArt } from './slide-art.tsx'
import { SLIDE_MS, type Slide, slides } from './slides.ts'

type CarouselProps = {
  /** Called when the user leaves, before the fade-out. */
  onLeave: () => void
  /** Called after the fade-out. */
  onGone: () => void
  onTour: (key: TourKey) => void
}

/** Welcome: introduces Atrium in seven slides, once. */
export function Carousel({ onLeave, onGone, onTour }: CarouselProps) {
  const { t } = useTranslation('onboarding')
  const [isOpen, setOpen] = useState(true)
  const [at, setAt] = useState(0)
  const [isBack, setBack] = useState(false)
  const nextButton = useRef<HTMLButtonElement>(null)
  const slide = slides[at] ?? 'mission'
  const place = { n: at + 1, count: slides.length }
  const isLast = place.n === place.count
  const go = (to: number) => {
    if (to < 0 || to >= slides.length) return
    setBack(to < at)
    setAt(to)
  }
  const leave = () => {
    setOpen(false)
    onLeave()
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') go(at + 1)
    if (key === 'ArrowLeft') go(at - 1)
  }
  return (
    <Dialog.Root
      open={isOpen}
      // An accidental click outside must not close it.
      disablePointerDismissal
      onOpenChange={(open) => open || leave()}
      onOpenChangeComplete={(open) => open || onGone()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fade-motion fixed inset-0 z-(--z-modal) bg-overlay" />
        <Dialog.Viewport className="welcome-place">
          <Dialog.Popup
            aria-label={t('carousel.label')}
            initialFocus={nextButton}
            onKeyDown={onKeyDown}
            className="fade-motion welcome"
            style={{ '--slide': `${SLIDE_MS}ms` } as CSSProperties}
          >
            <div className="welcome-slides" data-back={isBack || undefined}>
              <SlideArt key={slide} slide={slide} />
            </div>
            <div className="welcome-text">
              <div className="welcome-head">
                <span aria-live="polite">{t('carousel.step', place)}</span>
                <Dialog.Close
                  render={
                    <IconButton name={t('carousel.close')}>
                      <X aria-hidden className="icon" />
                    </IconButton>
                  }
                />
              </div>
              <div key={slide} className="welcome-words" data-back={isBack || undefined}>
                <Dialog.Title className="welcome-title">{t(`carousel.${slide}.title`)}</Dialog.Title>
                <Dialog.Description className="welcome-about">
                  {t(`carousel.${slide}.text`)}
                </Dialog.Description>
                {slide === 'ready' ? (
                  <Offers
                    onChoose={(key) => {
                      leave()
                      onTour(key)
                    }}
                  />
                ) : (
                  <Points slide={slide} />
                )}
              </div>
              <div className="welcome-foot">
                <fieldset aria-label={t('carousel.slides')} className="welcome-dots">
                  {slides.map((one, index) => (
                    <button
                      key={one}
                      type="button"
                      aria-label={t('carousel.slide', { n: index + 1 })}
                      aria-current={index === at ? 'step' : undefined}
                      data-past={index < at || undefined}
                      onClick={() => go(index)}
                      className="num"
                    >
                      {index + 1}
                    </button>
                  ))}
                </fieldset>
                <span className="flex-1" />
                {at > 0 && (
                  <Button variant="ghost" onClick={() => go(at - 1)}>
                    {t('carousel.back')}
                  </Button>
                )}
                <Button ref={nextButton} variant="primary" onClick={isLast ? leave : () => go(at + 1)}>
                  {t(isLast ? 'carousel.start' : 'carousel.next')}
                </Button>
              </div>
            </div>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Points({ slide }: { slide: Slide }) {
  const { t } = useTranslation('onboarding')
  return (
    <ul className="welcome-points">
      {['a', 'b', 'c'].map((point) => (
        <li key={point}>
          <Check aria-hidden className="icon-14 text-accent" />
          {t(`carousel.${slide}.${point}`)}
        </li>
      ))}
    </ul>
  )
}

function Offers({ onChoose }: { onChoose: (key: TourKey) => void }) {
  const { t } = useTranslation('onboarding')
  return (
    <div className="welcome-offers">
      <p>{t('carousel.offered')}</p>
      {suggested.map((key) => {
        const { name, description } = tourIn(t, key)
        return (
          <button key={key} type="button" onClick={() => onChoose(key)} className="hover-motion">
            <Compass aria-hidden className="icon text-accent" />
            <span className="welcome-offer">
              <span className="welcome-offer-name">{name}</span>
              <span>{description}</span>
            </span>
          </button>
        )
      })}
    </div>
  )
}
