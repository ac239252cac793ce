import { useMutation } from '@tanstack/react-query'
import { MapPinOff } from 'lucide-react'
import { useEffect } from 'react'
import { getMe } from '#shared/identity/accounts/accounts.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { ME_POLL_MS } from '../../platform/lib/me/me.ts'
import { signOut } from '../../platform/lib/me/sign-out.ts'
import { Button } from '../../platform/ui/button.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'

/** Shown to a person outside of the networks of their company. `onInside` is called when they are inside again. */
export default function OutsidePage({ error, onInside }: { error: unknown; onInside: () => void }) {
  const { t } = useTranslation('common')
  const { mutate: check, isPending } = useMutation({
    // Not the query of the person: its next attempt would replace this page meanwhile.
    mutationFn: () => call(getMe, { quiet: true }),
    onSuccess: onInside,
  })
  useEffect(() => {
    const timer = setInterval(() => check(), ME_POLL_MS)
    return () => clearInterval(timer)
  }, [check])
  return (
    <main className="flex h-dvh flex-col">
      <EmptyState
        page
        icon={<MapPinOff aria-hidden />}
        title={t('outside_networks')}
        action={
          <>
            <Button variant="primary" size="lg" busy={isPending} onClick={() => check()}>
              {t('actions.retry')}
            </Button>
            <Button size="lg" onClick={() => void signOut()}>
              {t('user.log_out')}
            </Button>
          </>
        }
      >
        {errorText(t, error)}
      </EmptyState>
    </main>
  )
}
