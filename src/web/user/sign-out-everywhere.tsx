import { useMutation } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { deleteAllTokens } from '#shared/accounts/accounts.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/call.ts'
import { signOut } from '../lib/sign-out.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'

/** Ends every token of the person, this one too, after asking. */
export function SignOutEverywhere() {
  const { t } = useTranslation('common')
  const [isAsked, setAsked] = useState(false)
  const ending = useMutation({
    mutationFn: () => call(deleteAllTokens),
    onSuccess: () => signOut(),
    onSettled: () => setAsked(false),
  })
  return (
    <div className="grid justify-items-start gap-3">
      <Button
        variant="danger-ghost"
        className="-ml-3"
        icon={<LogOut aria-hidden className="icon-14" />}
        onClick={() => setAsked(true)}
      >
        {t('user.devices.sign_out_all')}
      </Button>
      {ending.isError && (
        <Callout tone="danger" title={t('user.devices.failed')}>
          {errorText(t, ending.error)}
        </Callout>
      )}
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('user.devices.confirm_title')}
        message={t('user.devices.confirm_text')}
        confirmLabel={t('user.devices.sign_out_all')}
        busy={ending.isPending}
        onConfirm={() => ending.mutate()}
      />
    </div>
  )
}
