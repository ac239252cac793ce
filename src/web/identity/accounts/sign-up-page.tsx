import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Heading, textLink } from './heading.tsx'
import { hasSignOn, useSignInOptions } from './sign-in.ts'
import { Or, SignOn } from './sign-on.tsx'
import { SignUpForm } from './sign-up-form.tsx'

/** Sign-up page. Explains the policy instead when only invited users may sign up. */
export function SignUpPage() {
  const { t } = useTranslation('login')
  const options = useSignInOptions()
  const policy = options?.sign_up
  const isRefused = policy === 'invitation' || policy === 'closed'
  return (
    <>
      <Heading title={t('sign_up')}>
        {!isRefused &&
          t(
            options?.first_account
              ? 'sign_up_first'
              : policy === 'domain'
                ? 'sign_up_domain'
                : 'sign_up_hint',
          )}
      </Heading>
      {isRefused ? (
        <Callout title={t(`sign_up_refused.${policy}`)}>{t('sign_up_refused.next')}</Callout>
      ) : (
        <>
          <SignUpForm askSetupCode={options?.setup_code_required ?? false} />
          {hasSignOn(options) && !options?.first_account && (
            <>
              <Or />
              <SignOn providers={options?.providers ?? []} />
            </>
          )}
        </>
      )}
      {!options?.first_account && (
        <p className="mt-6 text-center text-13 text-ink-2">
          {t('have_account')}{' '}
          <Link to="/login" className={textLink}>
            {t('log_in')}
          </Link>
        </p>
      )}
    </>
  )
}
