import { useQuery } from '@tanstack/react-query'
import { getChatMemory } from '#shared/chat/memory/memory.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { loadTexts, useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'

/** Chats whose facts are counted. With more of them the number is not shown. */
const MAX_COUNTED = 20

type LearnedFactsProps = {
  /** The sessions to delete. */
  sessions: readonly Session[]
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Offers to delete the facts that were learned in the sessions, when there are any. */
export function LearnedFacts({ sessions, checked, onChange }: LearnedFactsProps) {
  const { t } = useTranslation('memory')
  const ids = sessions.map(({ id }) => id)
  const { data: count = 0 } = useQuery({
    queryKey: ['memory', 'learned', ...ids],
    queryFn: async ({ signal }) => {
      await loadTexts('memory')
      const counted = ids.slice(0, MAX_COUNTED)
      const chats = await Promise.all(
        counted.map((sessionId) => call(getChatMemory, { params: { sessionId }, signal })),
      )
      return chats.reduce((sum, { learned }) => sum + learned, 0)
    },
    enabled: ids.length > 0,
    staleTime: 0,
  })
  // The space is reserved, so that the answer moves nothing.
  return (
    <span className="mt-3 block min-h-6">
      {count > 0 && (
        <Checkbox
          checked={checked}
          onCheckedChange={onChange}
          label={<span className="text-13">{t('forget', { count })}</span>}
        />
      )}
    </span>
  )
}
