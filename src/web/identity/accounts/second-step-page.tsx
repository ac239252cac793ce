import { Suspense } from 'react'
import type { SecondStep as Step } from '#shared/identity/accounts/second-factor.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { setToken } from '../../platform/lib/me/token.ts'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { SecondStep } from '../second-factor/second-factor.tsx'
import { Heading } from './heading.tsx'

/** Replaces the login form after the first factor succeeded. */
export function SecondStepPage({ step, onRestart }: { step: Step; onRestart: () => void }) {
  const { t } = useTranslation('login')
  const mustSetUp = step.factors.length === 0
  return (
    <>
      <Heading title={t(mustSetUp ? 'second_step.set_up' : 'second_step.title')}>
        {mustSetUp && t('second_step.set_up_hint')}
      </Heading>
      <Suspense fallback={<Loader text={t('common:loading')} />}>
        <SecondStep step={step} onToken={setToken} onRestart={onRestart} />
      </Suspense>
    </>
  )
}
