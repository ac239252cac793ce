import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { setSheetOpen, useLayout } from '../../platform/lib/layout.ts'
import { isOpenTo, useIsOpen } from '../../platform/lib/me/me.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { Carousel } from './carousel/carousel.tsx'
import { HelpButton } from './help-button.tsx'
import { isCompleted, storeCompleted } from './progress.ts'
import { findOnPage } from './tours/on-page.ts'
import { prepareTour } from './tours/start-tour.ts'
import { TourSteps } from './tours/tour-steps.tsx'
import { type Tour, type TourKey, tourIn } from './tours/tours.ts'
import './onboarding.css'

type OnboardingProps = {
  me: User
  helpPlace: Element | null
  /** Returns true until the person has used the product. Afterwards the welcome does not open. */
  isUntouched: () => boolean
}

/** The onboarding of a person: the welcome, once, and the tours behind the help button, which is in `helpPlace`. */
export function Onboarding({ me, helpPlace, isUntouched }: OnboardingProps) {
  const [isWelcoming, setWelcoming] = useState(() => !isCompleted(me, 'welcome') && isUntouched())
  const { tour, start, end, lose } = useTour(me)
  const hasTours = useIsOpen('tours')
  useEffect(() => void helpPlace?.toggleAttribute('data-hidden', !hasTours), [helpPlace, hasTours])
  if (!hasTours) return null
  return (
    <>
      {helpPlace && createPortal(<HelpButton me={me} onTour={start} />, helpPlace)}
      {isWelcoming && (
        <Carousel
          onLeave={() => void storeCompleted('welcome')}
          onGone={() => setWelcoming(false)}
          onTour={start}
        />
      )}
      {tour && <TourSteps key={tour.key} tour={tour} onEnd={end} onLost={lose} />}
    </>
  )
}

/** The active tour. Finished and skipped tours count as completed; interrupted ones do not. */
function useTour(me: User) {
  const { t } = useTranslation('onboarding')
  const navigate = useNavigate()
  const [tour, setTour] = useState<Tour | null>(null)
  const stop = useCallback(() => {
    useLayout.setState({ isTouring: false })
    setSheetOpen(false)
    setTour(null)
  }, [])
  const start = async (key: TourKey) => {
    const chosen = tourIn(t, key)
    useLayout.setState({ isTouring: true })
    if (await prepareTour(chosen, (to) => navigate({ to }))) {
      const steps = chosen.steps.filter(
        ({ isOptional, needs, target }) =>
          (!needs || isOpenTo(me, needs)) && (!isOptional || findOnPage(target)),
      )
      return setTour({ ...chosen, steps })
    }
    stop()
    void toast.error(t('could_not_start'))
  }
  const lose = useCallback(() => {
    stop()
    void toast.info(t('stopped'))
  }, [stop, t])
  const end = () => {
    if (tour) void storeCompleted(tour.key)
    stop()
  }
  return { tour, start: (key: TourKey) => void start(key), end, lose }
}
