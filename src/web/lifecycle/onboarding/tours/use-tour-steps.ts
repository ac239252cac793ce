import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { act } from './actions.ts'
import { findOnPage, whenOnPage } from './on-page.ts'
import type { Tour } from './tours.ts'

/** Interval of the check whether a step's target was remounted. */
const LOOK_MS = 250

type Ends = { onEnd: () => void; onLost: () => void }

/** The current step of a tour. A step's action runs only once, when it is first reached. */
export function useTourSteps(tour: Tour, { onEnd, onLost }: Ends) {
  const { t } = useTranslation(['onboarding', 'streaming_blocks'])
  const navigate = useNavigate()
  const [at, setAt] = useState(0)
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const [isBusy, setBusy] = useState(true)
  const left = useRef(new AbortController())
  const reached = useRef(-1)

  const show = useCallback(
    async (index: number) => {
      const step = tour.steps[index]
      if (!step) return
      setBusy(true)
      if (step.action && index > reached.current) {
        const goTo = (to: string) => navigate({ to })
        await act(step.action, { t, goTo }).catch(() => toast.error(t('action_failed')))
      }
      reached.current = Math.max(reached.current, index)
      const found = await whenOnPage(step.target, left.current.signal)
      if (left.current.signal.aborted) return
      if (!found) return onLost()
      found.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
      setAt(index)
      setTarget(found)
      setBusy(false)
    },
    [tour, navigate, t, onLost],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tour starts once.
  useEffect(() => {
    left.current = new AbortController()
    void show(0)
    return () => left.current.abort()
  }, [])
  useEffect(() => {
    const selector = tour.steps[at]?.target
    if (!target || !selector) return
    const timer = setInterval(() => {
      const now = findOnPage(selector)
      if (now && now !== target) setTarget(now)
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [tour, at, target])
  return {
    ...{ at, target, isBusy },
    next: () => (at + 1 < tour.steps.length ? void show(at + 1) : onEnd()),
    back: () => void show(at - 1),
  }
}
