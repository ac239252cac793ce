import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useSessionDetails } from '../../runs/sessions/sessions.ts'
import { AssistantChoice } from './assistant-choice.tsx'
import { useOneAssistant } from './use-assistants.ts'

/** The choice of an assistant next to the chat, if the composer has no space for it. */
export function AssistantSection({ sessionId }: { sessionId: string }) {
  return <AssistantChoice sessionId={sessionId} currentId={useCurrentId(sessionId)} />
}

/** The author of the next replies. */
export function AssistantNote({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('assistant')
  return useOneAssistant(useCurrentId(sessionId))?.name ?? t('none')
}

function useCurrentId(sessionId: string): string | null {
  const { data } = useSessionDetails(sessionId)
  return data?.session_metadata.assistant_id ?? null
}
