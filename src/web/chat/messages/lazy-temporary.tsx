import { useNavigate } from '@tanstack/react-router'
import clsx from 'clsx'
import { lazy, Suspense } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { buttonLook } from '../../platform/ui/button.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { startChat } from '../../runs/sessions/sessions.ts'

const load = () => import('../temporary-chats/temporary-chats.tsx')
const Bar = lazy(() => load().then((file) => ({ default: file.TemporaryBar })))
const Switch = lazy(() => load().then((file) => ({ default: file.TemporarySwitch })))

type TemporaryProps = { session: Session | null; isEmpty: boolean }

/** Above a temporary chat: what it is, and how to keep or close it. */
export function TemporaryBar({ session, isEmpty }: TemporaryProps) {
  const leave = useStartAgain()
  if (!session?.is_temporary) return null
  return (
    <Suspense fallback={<div className="h-11 flex-none border-b border-line max-md:h-14" />}>
      <Bar key={session.id} sessionId={session.id} isEmpty={isEmpty} onClose={leave} />
    </Suspense>
  )
}

/** In the top bar of an empty chat: whether it is temporary. */
export function TemporarySwitch({ session, isEmpty }: TemporaryProps) {
  const { t } = useTranslation('streaming_blocks')
  const leave = useStartAgain()
  const mayBegin = useIsOpen('temporary_chats')
  if (!isEmpty || !(mayBegin || session?.is_temporary)) return null
  // Takes the space of the switch, so that its neighbours stay in place.
  const place = (
    <span aria-hidden className={clsx(buttonLook({ variant: 'ghost' }), 'invisible max-md:w-11')}>
      <span className="icon max-md:hidden" />
      <span className="max-md:hidden">{t('temporary.switch')}</span>
    </span>
  )
  return (
    <Suspense fallback={place}>
      <Switch session={session} onOff={leave} />
    </Suspense>
  )
}

/** Returns a function that leaves the chat for a new one. A temporary chat is closed when it is left. */
function useStartAgain(): () => void {
  const { t } = useTranslation('streaming_blocks')
  const navigate = useNavigate()
  return () =>
    void startChat()
      .then((id) => navigate({ to: `/chat/${id}`, replace: true }))
      .catch((error) => toast.error(errorText(t, error)))
}
