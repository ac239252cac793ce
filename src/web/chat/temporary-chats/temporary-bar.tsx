import { useMutation } from '@tanstack/react-query'
import { MessageCircleDashed } from 'lucide-react'
import { keepTemporaryChat } from '#shared/chat/temporary-chats/temporary-chats.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { addSession } from '../../runs/sessions/sessions.ts'
import { useLease } from './use-lease.ts'

type TemporaryBarProps = {
  sessionId: string
  /** True while the chat has no messages to keep. */
  isEmpty: boolean
  onClose: () => void
}

/** Says that the chat is temporary, keeps it or closes it. The chat exists while this is shown. */
export function TemporaryBar({ sessionId, isEmpty, onClose }: TemporaryBarProps) {
  const { t } = useTranslation('streaming_blocks')
  const letStay = useLease(sessionId)
  const keeping = useMutation({
    mutationFn: () => call(keepTemporaryChat, { params: { sessionId } }),
    onSuccess: (session) => {
      letStay()
      addSession(session)
      void toast.success(t('temporary.kept'))
    },
    onError: (error) => void toast.error(errorText(t, error)),
  })
  return (
    <div
      role="note"
      data-unsaved
      className="flex min-h-11 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface py-1.5 pr-3 pl-5 text-13 max-md:min-h-14 max-md:px-3 print:hidden"
    >
      <MessageCircleDashed aria-hidden className="icon flex-none text-ink-3" />
      <p className="min-w-0 flex-1 basis-40">
        <span className="font-medium">{t('temporary.title')}</span>{' '}
        <span className="text-ink-2">{t('temporary.text')}</span>
      </p>
      <span className="flex gap-1">
        {!isEmpty && (
          <Button size="sm" busy={keeping.isPending} onClick={() => keeping.mutate()}>
            {t('temporary.keep')}
          </Button>
        )}
        <Button variant="ghost" size="sm" onClick={onClose}>
          {t('temporary.close')}
        </Button>
      </span>
    </div>
  )
}
