import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { SecondStep } from '#shared/identity/accounts/second-factor.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { setToken } from '../../platform/lib/me/token.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { canUsePasskeys, PasskeyButton } from '../second-factor/second-factor.tsx'
import { Heading, textLink } from './heading.tsx'
import { loginProblem, signOnProblem, signOnReason } from './login-errors.ts'
import { LoginForm } from './login-form.tsx'
import { hasSignOn, signIn, signInWithCode, useSignInOptions } from './sign-in.ts'
import { LockedProviders, Or, SignOn } from './sign-on.tsx'

const SecondStepPage = lazy(() =>
  import('./second-step-page.tsx').then((file) => ({ default: file.SecondStepPage })),
)

/** Login page and return address of a sign-on. Redirects to sign-up while the installation has no accounts. */
export function LoginPage() {
  const { t } = useTranslation('login')
  const [step, setStep] = useState<SecondStep | null>(null)
  const { code, problem } = useSignOnReturn(setStep)
  const options = useSignInOptions()
  if (options?.first_account) return <Navigate to="/login/signup" replace state={(state) => state} />
  if (step)
    return (
      <Suspense fallback={<Loader text={t('common:loading')} />}>
        <SecondStepPage step={step} onRestart={() => setStep(null)} />
      </Suspense>
    )
  if (code) return <Loader text={t('common:loading')} />
  return (
    <>
      <Heading title={t('log_in')}>{t('log_in_hint')}</Heading>
      {problem && (
        <Callout tone="danger" title={t(`errors.${problem.text}`)} className="mb-4">
          {problem.reason && t(`sso_reasons.${problem.reason}`)}
        </Callout>
      )}
      <LoginForm onSubmit={async (name, password) => setStep(await signIn(name, password))} />
      {(canUsePasskeys() || hasSignOn(options)) && <Or />}
      {canUsePasskeys() && (
        <div className="mb-2 min-h-10">
          <Suspense fallback={null}>
            <PasskeyButton onToken={setToken} />
          </Suspense>
        </div>
      )}
      <SignOn providers={options?.providers ?? []} />
      <LockedProviders providers={options?.providers ?? []} />
      {/* Comes with the services, so that they push nothing down. */}
      {options && !['closed', 'invitation'].includes(options.sign_up) && (
        <p className="mt-7 text-center text-13 text-ink-2">
          {t('new_here')}{' '}
          <Link to="/login/signup" className={textLink}>
            {t('create_account_link')}
          </Link>
        </p>
      )}
    </>
  )
}

type Problem = { text: string; reason: string | null }

/** Removes the sign-on code or error from the URL, so that the browser history never stores it, and handles it once. */
function useSignOnReturn(onStep: (step: SecondStep | null) => void): {
  code: string | null
  problem: Problem | null
} {
  const { t } = useTranslation('login')
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  const [code, setCode] = useState<string | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const { token, error, sso_error: ssoError, notice, from } = search
  const [isHandedOver, setHandedOver] = useState(false)
  useEffect(() => {
    const failure = ssoError ?? error
    if (token === undefined && failure === undefined) return
    if (failure !== undefined) setProblem({ text: signOnProblem(failure), reason: signOnReason(failure) })
    else if (token) {
      setCode(token)
      setHandedOver(notice === 'handed_over')
    }
    const state = { isReturning: true, ...(from !== undefined && { from }) }
    void navigate({ to: '/login', search: {}, replace: true, state: (before) => ({ ...before, ...state }) })
  }, [token, error, ssoError, notice, from, navigate])
  useEffect(() => {
    if (!code) return
    const goOn = (step: SecondStep | null) => {
      onStep(step)
      if (isHandedOver) toast.info(t('handed_over'))
      if (step) setCode(null)
    }
    signInWithCode(code).then(goOn, (failure) => {
      const known = loginProblem(failure)
      setProblem({ text: known === 'login_failed' ? 'sso_failed' : known, reason: null })
      setCode(null)
    })
  }, [code, isHandedOver, onStep, t])
  return { code, problem }
}
