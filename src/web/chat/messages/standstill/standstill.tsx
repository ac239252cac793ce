import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { Play } from 'lucide-react'
import { stopRun } from '#shared/runs/runs/runs.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { refreshSession } from '../../../runs/sessions/sessions.ts'
import { openChat } from '../chat/chat.ts'
import { resumeTask } from './task-actions.ts'
import type { Standstill } from './waiting.ts'

/** The action that resumes a paused run, instead of sending. */
export function StandstillAction({ pause }: { pause: NonNullable<Standstill['pause']> }) {
  const { t } = useTranslation('streaming_blocks')
  const resuming = useAction(() => resumeTask(pause.checkpoint_name, t))
  if (pause.reason === 'balance')
    return (
      <Link to="/user/billing" className={clsx(buttonLook({ variant: 'primary' }), 'ml-1 no-underline')}>
        {t('pause.top_up')}
      </Link>
    )
  // The person cannot raise it; the run resumes by itself.
  if (pause.reason === 'budget') return null
  return (
    <Button
      variant="primary"
      className="ml-1"
      busy={resuming.isPending}
      icon={<Play aria-hidden className="icon" />}
      onClick={() => void resuming.run()}
    >
      {t('pause.resume')}
    </Button>
  )
}

type NoteProps = { sessionId: string; standstill: Standstill; onFreed: () => void }

/** Explains why the run waits and what happens to the draft; a waiting run can be ended for another message. */
export function StandstillNote({ sessionId, standstill: { pause, requests }, onFreed }: NoteProps) {
  const { t } = useTranslation('streaming_blocks')
  const stopping = useAction(async () => {
    try {
      await call(stopRun, { params: { sessionId } })
      await openChat(sessionId)
      refreshSession(sessionId)
      void queryClient.invalidateQueries({ queryKey: ['input-requests'] })
      onFreed()
    } catch (error) {
      toast.error(errorText(t, error))
    }
  })
  const kind = pause === null ? 'waiting' : pause.reason === 'balance' ? 'unpaid' : 'paused'
  return (
    <>
      <span className={clsx('font-medium', kind === 'unpaid' && 'text-danger')}>
        {t(
          `composer.held.${kind === 'waiting' && requests.every((one) => one.approver) ? 'approver' : kind}`,
        )}
      </span>{' '}
      {t('composer.held.kept')}
      {kind === 'waiting' && (
        <Button
          variant="link"
          size="sm"
          className="ml-1.5"
          busy={stopping.isPending}
          onClick={() => void stopping.run()}
        >
          {t('input.stop_and_write')}
        </Button>
      )}
    </>
  )
}
