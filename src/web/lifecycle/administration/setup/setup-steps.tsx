import { Check, Flag, Minus } from 'lucide-react'
import type { SetupProgress, SetupStep } from '#shared/lifecycle/setup/setup.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Mark } from '../../../platform/ui/mark.tsx'
import { steps } from './use-setup.ts'

type Place = SetupStep | 'ready'
type SetupStepsProps = {
  place: Place
  progress: SetupProgress | null
  onShow: (place: Place) => void
  onLeave: () => void
}

/** Progress of the setup, with links to each step and out of it. */
export function SetupSteps({ place, progress, onShow, onLeave }: SetupStepsProps) {
  const { t } = useTranslation('setup')
  return (
    <aside className="setup-side">
      <div className="setup-brand">
        <Mark />
        {t('common:app_name')}
      </div>
      <div>
        <h1>{t('title')}</h1>
        <p>{t('about')}</p>
        <ol aria-label={t('title')} className="setup-steps">
          <li data-done>
            <span>
              <span className="setup-dot">
                <Check aria-hidden />
              </span>
              <span className="setup-name">{t('account')}</span>
            </span>
          </li>
          {[...steps, 'ready' as const].map((step, index) => {
            const outcome = step === 'ready' ? null : (progress?.[step] ?? null)
            return (
              <li key={step} data-done={outcome === 'done' || undefined}>
                <button
                  type="button"
                  aria-current={step === place ? 'step' : undefined}
                  className="hover-motion"
                  onClick={() => onShow(step)}
                >
                  <span className="setup-dot num">
                    <Dot step={step} outcome={outcome} n={index + 2} />
                  </span>
                  <span className="setup-name">{t(`steps.${step}.name`)}</span>{' '}
                  {outcome && (
                    <span className={outcome === 'done' ? 'sr-only' : 'setup-later'}>
                      {t(`outcome.${outcome}`)}
                    </span>
                  )}
                </button>
              </li>
            )
          })}
        </ol>
      </div>
      <Button variant="ghost" size="sm" className="setup-leave" onClick={onLeave}>
        {t('leave')}
      </Button>
    </aside>
  )
}

function Dot({ step, outcome, n }: { step: Place; outcome: SetupProgress[SetupStep]; n: number }) {
  if (step === 'ready') return <Flag aria-hidden />
  if (outcome === 'done') return <Check aria-hidden />
  if (outcome === 'later') return <Minus aria-hidden />
  return n
}
