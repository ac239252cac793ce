import { KeyRound } from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { canUsePasskeys } from './can-use-passkeys.ts'
import { signInByPasskey } from './sign-in-by-passkey.ts'

type PasskeyButtonProps = {
  /** Ticket of a second step. Without it, the passkey alone signs in. */
  ticket?: string
  onToken: (token: string) => void
}

/** Signs in with a passkey, if the browser supports them. */
export function PasskeyButton({ ticket, onToken }: PasskeyButtonProps) {
  const { t } = useTranslation('login')
  const signing = useAction(() => signInByPasskey(ticket), onToken)
  if (!canUsePasskeys()) return null
  return (
    <div className="flex flex-col gap-2">
      <Button
        size="lg"
        wide
        icon={<KeyRound aria-hidden className="icon" />}
        busy={signing.isPending}
        onClick={() => void signing.run()}
      >
        {t(ticket ? 'second_step.use_passkey' : 'passkey.log_in')}
      </Button>
      {signing.error !== null && (
        <Callout tone="danger">
          {t(isApiError(signing.error, 422) ? 'passkey.unknown' : 'passkey.failed')}
        </Callout>
      )}
    </div>
  )
}
