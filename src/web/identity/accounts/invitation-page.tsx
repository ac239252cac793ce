import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { acceptInvitation, readInvitation } from '#shared/identity/accounts/joining.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { type Answer, call } from '../../platform/lib/api/call.ts'
import { useToken } from '../../platform/lib/me/token.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { Heading, textLink } from './heading.tsx'
import { SignUpForm } from './sign-up-form.tsx'

type Invitation = Answer<typeof readInvitation>

/** Target of an invitation link: creates an account, or adds the signed-in user to the company. */
export function InvitationPage() {
  const { t } = useTranslation('login')
  const { token = '' } = useSearch({ strict: false }) as { token?: string }
  const isSignedIn = useToken() !== null
  const { invitation, error } = useInvitation(token)
  if (error)
    return (
      <>
        <Heading title={t('invitation.title')} />
        <Callout tone="danger">
          {t(
            isApiError(error, 400) || isApiError(error, 422)
              ? 'errors.invitation_invalid'
              : 'errors.connection',
          )}
        </Callout>
        <ToLogin />
      </>
    )
  if (!invitation) return <Loader text={t('common:loading')} />
  const { company, invited_by: inviter, email, expires_at } = invitation
  return (
    <>
      <Heading title={t('invitation.join', { company })}>
        {inviter ? t('invitation.hint', { inviter, company }) : t('invitation.hint_nobody', { company })}{' '}
        {t('invitation.until', { date: formatDate(expires_at) })}
      </Heading>
      {isSignedIn ? (
        <Join token={token} invitation={invitation} />
      ) : (
        <>
          <SignUpForm askSetupCode={false} invited={{ token, email }} />
          <ToLogin from={`/login/invitation?token=${encodeURIComponent(token)}`} />
        </>
      )}
    </>
  )
}

/** Fetches the invitation once. */
function useInvitation(token: string): { invitation: Invitation | null; error: unknown } {
  const [found, setFound] = useState<{ invitation: Invitation | null; error: unknown }>({
    invitation: null,
    error: null,
  })
  useEffect(() => {
    const control = new AbortController()
    call(readInvitation, { body: { token }, signal: control.signal }).then(
      (invitation) => setFound({ invitation, error: null }),
      (error) => control.signal.aborted || setFound({ invitation: null, error }),
    )
    return () => control.abort()
  }, [token])
  return found
}

function Join({ token, invitation: { company, email } }: { token: string; invitation: Invitation }) {
  const { t } = useTranslation('login')
  const navigate = useNavigate()
  const goOn = useCallback(() => void navigate({ href: '/', replace: true }), [navigate])
  const joining = useAction(() => call(acceptInvitation, { body: { token } }), goOn)
  const { error } = joining
  return (
    <div className="flex flex-col gap-4">
      {error !== null && (
        <Callout tone="danger" title={t('invitation.failed')}>
          {isApiError(error, 403) && email
            ? t('invitation.wrong_address', { email })
            : isApiError(error, 400) && t('errors.invitation_invalid')}
        </Callout>
      )}
      <Button variant="primary" size="lg" wide busy={joining.isPending} onClick={() => void joining.run()}>
        {t('invitation.join', { company })}
      </Button>
    </div>
  )
}

function ToLogin({ from }: { from?: string }) {
  const { t } = useTranslation('login')
  return (
    <p className="mt-6 text-center text-13 text-ink-2">
      {t('have_account')}{' '}
      <Link to="/login" state={from ? { from } : {}} className={textLink}>
        {t(from ? 'invitation.have_account' : 'log_in')}
      </Link>
    </p>
  )
}
