import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useCurrentSession } from '../../platform/lib/current-session.ts'
import { titleOf, useFirstSessionId, useSessionDetails } from '../../runs/sessions/sessions.ts'

/** Returns the chat that tools are selected for: the current one, or the one the chat view would open. Null if there is none. */
export function useChosenSession(): { id: string; title: string } | null {
  const { t } = useTranslation('common')
  const current = useCurrentSession((state) => state.id)
  const first = useFirstSessionId(current)
  const id = current ?? first
  const { data } = useSessionDetails(id)
  if (!id) return null
  return { id, title: data ? titleOf(data, t) : t('history.untitled') }
}
