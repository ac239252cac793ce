import { useId, useState } from 'react'
import { resendVerification } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Input } from '../../platform/ui/input.tsx'

/** Resends the verification mail. Asks for the address when it is unknown. */
export function ResendVerification({ email }: { email: string }) {
  const { t } = useTranslation('login')
  const [address, setAddress] = useState(email)
  const lineId = useId()
  const resend = useAction(() => call(resendVerification, { body: { email: address.trim() } }))
  return (
    <div className="mt-2 flex flex-col gap-2">
      {!email && (
        <Input
          type="email"
          name="email"
          autoComplete="email"
          aria-label={t('resend_address')}
          aria-describedby={lineId}
          placeholder={t('resend_address')}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      )}
      <span className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          busy={resend.isPending}
          disabled={!address.includes('@')}
          onClick={() => void resend.run()}
        >
          {t('resend_verification')}
        </Button>
        <span id={lineId} role="status" className="text-12 text-ink-2">
          {resend.data && t('resend_done')}
          {resend.error !== null && t('errors.resend_failed')}
        </span>
      </span>
    </div>
  )
}
