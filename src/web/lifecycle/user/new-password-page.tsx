import type { User } from '#shared/identity/accounts/accounts.ts'
import { TermsPage } from '../../identity/terms/terms.tsx'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { refetchMe } from '../../platform/lib/me/me.ts'
import { signOut } from '../../platform/lib/me/sign-out.ts'
import { Mark } from '../../platform/ui/mark.tsx'
import { PasswordForm } from './password-form.tsx'

/** Shows what a person does before anything else: a new password, or new terms of their company. */
export default function DuePage({ me }: { me: User }) {
  return me.password_due ? <NewPasswordPage due={me.password_due} /> : <TermsPage />
}

/** Asks for a new password, and says why. */
function NewPasswordPage({ due }: { due: NonNullable<User['password_due']> }) {
  const { t } = useTranslation('common')
  return (
    <main className="mx-auto grid min-h-dvh max-w-90 content-center gap-5 px-4 py-10">
      <div>
        <Mark />
        <title>{`${t('password_due.title')} · ${t('app_name')}`}</title>
        <h1 className="mt-5 mb-1 text-22 font-semibold tracking-[-0.02em]">{t('password_due.title')}</h1>
        <p className="mb-5.5 text-ink-2">{t(`password_due.${due}`)}</p>
        <PasswordForm hasPassword onChanged={() => void refetchMe()} />
      </div>
      <p className="text-13">
        <button
          type="button"
          className="rounded-tag font-medium text-accent hover:underline max-md:min-h-11"
          onClick={() => void signOut()}
        >
          {t('password_due.sign_out')}
        </button>
      </p>
    </main>
  )
}
