import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { AssistantOptions } from './assistant-options.tsx'
import { chooseAssistant } from './choose-assistant.ts'
import { useAssistants } from './use-assistants.ts'

type AssistantChoiceProps = {
  sessionId: string
  currentId: string | null
  /** Takes the focus when it opens. */
  takesFocus?: boolean
  onChosen?: () => void
}

/** Selects the author of a session's next replies; the first choice is none. */
export function AssistantChoice({ sessionId, currentId, takesFocus, onChosen }: AssistantChoiceProps) {
  const { t } = useTranslation('assistant')
  const { data, isError, refetch, more } = useAssistants()
  const choose = (assistant: ListedAssistant | null) => {
    onChosen?.()
    if ((assistant?.id ?? null) === currentId) return
    chooseAssistant(sessionId, assistant).catch((error) => toast.error(errorText(t, error)))
  }
  if (data)
    return (
      <AssistantOptions
        assistants={data}
        more={more}
        currentId={currentId}
        takesFocus={takesFocus}
        onChoose={choose}
      />
    )
  if (!isError) return <p className="p-4 text-13 text-ink-2">{t('loading')}</p>
  return (
    <div className="grid justify-items-start gap-2 p-4 text-13 text-ink-2">
      {t('load_failed')}
      <Button size="sm" onClick={() => void refetch()}>
        {t('common:actions.retry')}
      </Button>
    </div>
  )
}
