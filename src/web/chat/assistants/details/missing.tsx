import { useQuery } from '@tanstack/react-query'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { getMissingParts } from '#shared/chat/assistants/transfer.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { missingInWords } from '../transfer.tsx'

/** Lists the parts of the assistant that the person may not use; nothing if there are none. */
export function Missing({ assistant: { id, updated_at } }: { assistant: Assistant }) {
  const { t } = useTranslation('assistant')
  const { data } = useQuery({
    queryKey: ['assistants', 'missing', id, updated_at],
    queryFn: ({ signal }) => call(getMissingParts, { params: { assistantId: id }, signal }),
    staleTime: 60_000,
  })
  const parts = data ? missingInWords(data) : ''
  if (parts === '') return null
  return (
    <Callout tone="warning" className="mt-5" title={t('transfer.missing')}>
      {parts}
    </Callout>
  )
}
