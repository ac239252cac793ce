import { useQuery, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import {
  type Feedback,
  giveFeedback,
  listFeedback,
  takeFeedbackBack,
} from '#shared/chat/feedback/feedback.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Popover } from '../../platform/ui/overlays/popover.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { knownSession } from '../../runs/sessions/sessions.ts'
import { ReasonForm } from './reason-form.tsx'

type FeedbackButtonsProps = { sessionId: string; messageId: string }

/** Rates a reply. Pressing again removes the rating; a negative one can have a reason. */
export function FeedbackButtons({ sessionId, messageId }: FeedbackButtonsProps) {
  const { t } = useTranslation('streaming_blocks')
  const [isTelling, setTelling] = useState(false)
  const { given, judge, takeBack } = useFeedback(sessionId, messageId)
  const [isUp, isDown] = [given?.rating === 'up', given?.rating === 'down']
  const isShown = useIsOpen('feedback')
  // A reason that is being written can still be sent.
  if (!(isShown || isTelling) || knownSession(sessionId)?.is_temporary) return null
  return (
    <>
      <IconButton
        name={t('feedback.up')}
        aria-pressed={isUp}
        on={isUp}
        onClick={() => (isUp ? takeBack() : judge({ rating: 'up' }))}
      >
        <ThumbsUp aria-hidden className={clsx('icon', isUp && 'fill-current')} />
      </IconButton>
      <Popover
        name={t('feedback.reason')}
        side="top"
        open={isTelling}
        onOpenChange={(isOpen) => {
          setTelling(isOpen)
          if (isOpen && !isDown) void judge({ rating: 'down' })
        }}
        className="w-80"
        trigger={
          <IconButton name={t('feedback.down')} aria-pressed={isDown} on={isDown}>
            <ThumbsDown aria-hidden className={clsx('icon', isDown && 'fill-current')} />
          </IconButton>
        }
      >
        <ReasonForm
          given={given}
          onSend={async (told) => {
            if (await judge({ rating: 'down', ...told })) setTelling(false)
          }}
          onTakeBack={() => {
            setTelling(false)
            void takeBack()
          }}
        />
      </Popover>
    </>
  )
}

type Judgement = Pick<Feedback, 'rating'> & Partial<Pick<Feedback, 'reason' | 'comment' | 'is_shown'>>

function useFeedback(sessionId: string, messageId: string) {
  const { t } = useTranslation('streaming_blocks')
  const queries = useQueryClient()
  const queryKey = ['feedback', sessionId]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listFeedback, { params: { sessionId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const note = (now: Feedback | null) =>
    queries.setQueryData<Feedback[]>(queryKey, (all = []) => [
      ...all.filter(({ message_id }) => message_id !== messageId),
      ...(now ? [now] : []),
    ])
  const given = data?.find(({ message_id }) => message_id === messageId) ?? null
  /** Shows the rating immediately; returns false and reverts it if it could not be stored. */
  const change = async (now: Feedback | null, act: () => Promise<unknown>): Promise<boolean> => {
    note(now)
    try {
      await act()
      return true
    } catch (error) {
      note(given)
      void toast.error(errorText(t, error))
      return false
    }
  }
  const params = { sessionId, messageId }
  return {
    given,
    judge: ({ rating, reason = null, comment = null, is_shown = false }: Judgement) => {
      const body = { rating, reason, comment, is_shown }
      return change({ message_id: messageId, ...body }, () => call(giveFeedback, { params, body }))
    },
    takeBack: () => change(null, () => call(takeFeedbackBack, { params })),
  }
}
