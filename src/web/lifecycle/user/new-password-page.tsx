import type { User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { refetchMe } from '../../platform/lib/me/me.ts'
import { signOut } from '../../platform/lib/me/sign-out.ts'
import { Button } from '../../platform/ui/button.tsx'
import { PasswordForm } from './password-form.tsx'

/** Asks a person for a new password before anything else, and says why. */
export function NewPasswordPage({ due }: { due: NonNullable<User['password_due']> }) {
  const { t } = useTranslation('common')
  return (
    <main className="mx-auto grid min-h-dvh max-w-90 content-center gap-5 px-4 py-10">
      <div>
        <h1 className="text-20 font-semibold">{t('password_due.title')}</h1>
        <p className="mt-1 text-13 text-ink-2">{t(`password_due.${due}`)}</p>
      </div>
      <PasswordForm hasPassword onChanged={() => void refetchMe()} />
      <p>
        <Button variant="ghost" onClick={() => void signOut()}>
          {t('password_due.sign_out')}
        </Button>
      </p>
    </main>
  )
}
