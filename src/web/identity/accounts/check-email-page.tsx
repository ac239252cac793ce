import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { CircleCheck, Inbox, LifeBuoy, Mail } from 'lucide-react'
import { useCallback, useState } from 'react'
import { resendVerification } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button, buttonLook } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Tile } from '../../platform/ui/states/empty-state.tsx'
import { Heading, textLink } from './heading.tsx'
import { useRedirect } from './use-redirect.ts'

export const CHECK_EMAIL_SECONDS = 7
const RESEND_WAIT_SECONDS = 42

/** Confirms the mail sent after sign-up. Redirects to the login page after 7 s unless the user chooses to stay. */
export function CheckEmailPage() {
  const { t } = useTranslation('login')
  const { message, email, verificationRequired = true } = useLocation().state
  const navigate = useNavigate()
  const [isStaying, setStaying] = useState(false)
  const goToLogin = useCallback(() => void navigate({ to: '/login' }), [navigate])
  const left = useRedirect(!isStaying, CHECK_EMAIL_SECONDS, goToLogin)
  return (
    <>
      <div className="mb-5">
        <Tile tone="accent">{verificationRequired ? <Mail aria-hidden /> : <CircleCheck aria-hidden />}</Tile>
      </div>
      <Heading title={t(verificationRequired ? 'check_email' : 'account_created')}>
        {message ?? t('check_email_hint')}
        {email && <span className="block font-medium break-words text-ink">{email}</span>}
      </Heading>
      {verificationRequired && email && <Resend email={email} onUse={() => setStaying(true)} />}
      {verificationRequired ? <MailHints /> : <LoginLink />}
      <p className="mt-5 flex flex-wrap items-center gap-x-2 text-13 text-ink-2">
        {isStaying ? (
          <Link to="/login" className={textLink}>
            {t('back_to_login')}
          </Link>
        ) : (
          <>
            <span className="num">{t('redirect_in', { count: left })}</span>
            <Button variant="link" onClick={() => setStaying(true)}>
              {t('stay_here')}
            </Button>
          </>
        )}
      </p>
    </>
  )
}

function LoginLink() {
  const { t } = useTranslation('login')
  return (
    <Link to="/login" className={buttonLook({ variant: 'primary', size: 'lg', wide: true })}>
      {t('log_in')}
    </Link>
  )
}

function Resend({ email, onUse }: { email: string; onUse: () => void }) {
  const { t } = useTranslation('login')
  const [round, setRound] = useState(0)
  const resend = useAction(
    () => call(resendVerification, { body: { email } }),
    () => setRound(round + 1),
  )
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <ResendButton
          key={round}
          isFirst={round === 0}
          isBusy={resend.isPending}
          onClick={() => {
            onUse()
            void resend.run()
          }}
        />
        <Link to="/login/signup" className={`${buttonLook({ variant: 'ghost', size: 'lg' })}`}>
          {t('change_address')}
        </Link>
      </div>
      <div role="status" className="mt-3 min-h-4.5 text-13 text-ink-2">
        {resend.data && (
          <span className="flex items-center gap-1.5">
            <CircleCheck aria-hidden className="icon-14 text-success" />
            {t('resend_done')}
          </span>
        )}
      </div>
      {resend.error !== null && <Callout tone="danger">{t('errors.resend_failed')}</Callout>}
    </>
  )
}

/** Resend button with a countdown until the next mail is allowed. */
function ResendButton({
  isFirst,
  isBusy,
  onClick,
}: {
  isFirst: boolean
  isBusy: boolean
  onClick: () => void
}) {
  const { t } = useTranslation('login')
  const [isDue, setDue] = useState(isFirst)
  const release = useCallback(() => setDue(true), [])
  const left = useRedirect(!isDue, RESEND_WAIT_SECONDS, release)
  return (
    <Button size="lg" className="flex-1" disabled={!isDue} busy={isBusy} onClick={onClick}>
      <span className="num">
        {isDue ? t('resend') : t('resend_in', { time: `0:${String(left).padStart(2, '0')}` })}
      </span>
    </Button>
  )
}

function MailHints() {
  const { t } = useTranslation('login')
  return (
    <ul className="mt-4 grid gap-1.5 border-t border-line pt-4 text-13 text-ink-2 [&_svg]:icon-14 [&>li]:flex [&>li]:items-center [&>li]:gap-2">
      <li>
        <Inbox aria-hidden />
        {t('hint_spam')}
      </li>
      <li>
        <LifeBuoy aria-hidden />
        {t('hint_admin')}
      </li>
    </ul>
  )
}
