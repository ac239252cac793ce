import { Dialog as Base } from '@base-ui/react/dialog'
import { KeyRound } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { SecondStep as Step } from '#shared/identity/accounts/second-factor.ts'
import { LoginForm } from '../../identity/accounts/login-form.tsx'
import { useSignInOptions } from '../../identity/accounts/sign-in.ts'
import { SignOn } from '../../identity/accounts/sign-on.tsx'
import { SecondStep } from '../../identity/second-factor/second-factor.tsx'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { signOut } from '../../platform/lib/me/sign-out.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Tile } from '../../platform/ui/states/empty-state.tsx'
import { reconnect, reconnectWith } from './reconnect.ts'

/** Shown over the current view when a call was refused: signing in again resumes in place. Cannot be dismissed. */
export default function SessionExpiredDialog({ me }: { me: User }) {
  const { t } = useTranslation('common')
  const options = useSignInOptions()
  const [step, setStep] = useState<Step | null>(null)
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Backdrop className="fade-motion fixed inset-0 z-(--z-modal) bg-overlay" />
        <Base.Viewport className="fixed inset-0 z-(--z-modal) grid place-items-center overflow-y-auto p-4">
          <Base.Popup className="pop-motion w-full max-w-100 rounded-dialog bg-raised p-6 shadow-float outline-none">
            <div className="mb-3.5">
              <Tile>
                <KeyRound aria-hidden />
              </Tile>
            </div>
            <Base.Title className="text-18 font-semibold tracking-[-0.015em]">
              {t('session_expired.title')}
            </Base.Title>
            <Base.Description className="mt-1 mb-4.5 leading-[21px] text-ink-2">
              {t('session_expired.text')} {t('session_expired.kept')}
            </Base.Description>
            {step ? (
              <Suspense fallback={null}>
                <SecondStep step={step} onToken={reconnectWith} onRestart={() => setStep(null)} />
              </Suspense>
            ) : (
              <>
                <LoginForm
                  mode="reconnect"
                  username={me.email}
                  onSubmit={async (name, password) => setStep(await reconnect(name, password))}
                />
                <div className="mt-3.5">
                  <SignOn providers={options?.providers ?? []} />
                </div>
              </>
            )}
            <p className="mt-4 text-center text-13 text-ink-2">
              {t('session_expired.not_you', { name: firstName(me) })}{' '}
              <Button variant="link" onClick={() => void signOut()}>
                {t('session_expired.other')}
              </Button>
            </p>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

function firstName(me: User): string {
  return me.full_name?.split(' ')[0] || me.username
}
