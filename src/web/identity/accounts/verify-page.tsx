import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { verifyEmail } from '#shared/identity/accounts/accounts.ts'
import type { Notice } from '#shared/platform/primitives.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { oncePerKey } from '../../platform/lib/once.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Spinner } from '../../platform/ui/states/spinner.tsx'
import { Heading, textLink } from './heading.tsx'
import { ResendVerification } from './resend-verification.tsx'
import { REDIRECT_SECONDS } from './reset-page.tsx'
import { useRedirect } from './use-redirect.ts'

/** Verifies an email address with the token of a mailed link as soon as the page opens. */
export function VerifyPage() {
  const { t } = useTranslation('login')
  const { token } = useSearch({ strict: false }) as { token?: string }
  return (
    <>
      <Heading title={t('verify')}>{t('verify_hint')}</Heading>
      {token ? (
        <Verification token={token} />
      ) : (
        <Callout tone="danger">{t('errors.token_not_found')}</Callout>
      )}
      <p className="mt-6 text-13 text-ink-2">
        <Link to="/login" className={textLink}>
          {t('back_to_login')}
        </Link>
      </p>
    </>
  )
}

function Verification({ token }: { token: string }) {
  const { t } = useTranslation('login')
  const navigate = useNavigate()
  const { data, isError } = useVerification(token)
  const goToLogin = useCallback(() => void navigate({ to: '/login' }), [navigate])
  const left = useRedirect(data !== undefined, REDIRECT_SECONDS, goToLogin)
  if (data)
    return (
      <Callout tone="success" title={data.message}>
        {t('redirect_in', { count: left })}
      </Callout>
    )
  if (isError)
    return (
      <Callout tone="danger" title={t('errors.verify_failed')}>
        <ResendVerification email="" />
      </Callout>
    )
  return (
    <p role="status" className="flex items-center gap-2 text-ink-2">
      <Spinner />
      {t('verifying')}
    </p>
  )
}

// A token is valid once, and React may run the effect twice.
const verify = oncePerKey((token) => call(verifyEmail, { query: { token } }))

function useVerification(token: string) {
  const [state, setState] = useState<{ data?: Notice; isError: boolean }>({ isError: false })
  useEffect(() => {
    verify(token).then(
      (data) => setState({ data, isError: false }),
      () => setState({ isError: true }),
    )
  }, [token])
  return state
}
