import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useSessionDetails } from '../../runs/sessions/sessions.ts'
import { AssistantChoice } from './assistant-choice.tsx'
import { useOneAssistant } from './use-assistants.ts'

/** The choice of an assistant beside the chat, where the composer has no room for it. */
export function AssistantSection({ sessionId }: { sessionId: string }) {
  return <AssistantChoice sessionId={sessionId} currentId={useCurrentId(sessionId)} />
}

/** Who writes the next replies. */
export function AssistantNote({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('assistant')
  return useOneAssistant(useCurrentId(sessionId))?.name ?? t('none')
}

function useCurrentId(sessionId: string): string | null {
  const { data } = useSessionDetails(sessionId)
  return data?.session_metadata.assistant_id ?? null
}
