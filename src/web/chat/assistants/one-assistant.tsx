import { Link } from '@tanstack/react-router'
import { Bot, RotateCcw } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { Button, buttonLook } from '../../platform/ui/button.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { View } from '../../platform/ui/view.tsx'
import { useOneAssistantQuery } from './use-assistants.ts'

type OneAssistantProps = {
  id: string
  /** Required access; without it the page says so. */
  needs: 'read' | 'edit'
  children: (assistant: Assistant) => ReactNode
}

/** The page of one assistant, or an error. */
export function OneAssistant({ id, needs, children }: OneAssistantProps) {
  const { t } = useTranslation('assistant')
  const { data, isError, error, refetch } = useOneAssistantQuery(id)
  const isForbidden = isApiError(error, 403)
  useEffect(() => {
    if (isError && !isForbidden) void toast.error(t('said.load_failed'))
  }, [isError, isForbidden, t])
  if (data && (needs === 'read' || data.can_edit)) return children(data)
  if (data === undefined && !isError)
    return (
      <View title={t('title')}>
        <Skeletons
          className="mx-auto grid w-full max-w-[688px] gap-4 px-6 py-6"
          sizes={['h-10 w-72', 'h-8 w-full', 'h-40 w-full rounded-card']}
        />
      </View>
    )
  const mayRetry = isError && !isForbidden
  return (
    <View title={t('title')}>
      <EmptyState
        page
        icon={<Bot aria-hidden />}
        title={mayRetry ? t('said.load_failed') : t(data === null ? 'gone' : 'forbidden')}
        action={
          mayRetry ? (
            <Button icon={<RotateCcw aria-hidden className="icon" />} onClick={() => void refetch()}>
              {t('common:actions.retry')}
            </Button>
          ) : (
            <Link to="/assistant" className={buttonLook()}>
              {t('back')}
            </Link>
          )
        }
      >
        {mayRetry ? errorText(t, error) : t(data === null ? 'gone_text' : 'forbidden_text')}
      </EmptyState>
    </View>
  )
}
