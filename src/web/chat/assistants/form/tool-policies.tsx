import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { getToolPolicy, setToolPolicy, ToolPolicy } from '#shared/tools/tools/policy.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { ToolRow, useTools } from '../../../tools/tools/tools.ts'

type ToolPoliciesProps = { assistant: Assistant | null; toolIds: string[] | null }

/** When each tool of an assistant runs. Changes apply immediately. */
export function ToolPolicies({ assistant, toolIds }: ToolPoliciesProps) {
  const { t } = useTranslation(['assistant', 'tool_ui'])
  const { data: tools = [] } = useTools()
  const own = tools.filter(({ id }) => toolIds?.includes(id) ?? true)
  if (own.length === 0) return null
  return (
    <section aria-label={t('policies.title')} className="grid gap-2">
      <h3 className="flex items-baseline gap-2 text-13 font-medium">
        {t('policies.title')}
        <span className="ml-auto text-12 font-regular text-ink-3">
          {t(assistant ? 'policies.note' : 'policies.after_saving')}
        </span>
      </h3>
      {assistant && (
        <ul className="divide-y divide-line rounded-card border border-line">
          {own.map((tool) => (
            <ToolRow key={tool.id} tool={tool}>
              <Policy assistantId={assistant.id} tool={tool} />
            </ToolRow>
          ))}
        </ul>
      )}
    </section>
  )
}

function Policy({ assistantId, tool }: { assistantId: string; tool: Tool }) {
  const { t } = useTranslation('assistant')
  const queryKey = ['tool-policy', assistantId, tool.id]
  const params = { toolId: tool.id }
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getToolPolicy, { params, query: { assistant_id: assistantId }, signal }),
    staleTime: 60_000,
  })
  const [wish, setWish] = useState<ToolPolicy | null>(null)
  const choose = async (policy: ToolPolicy) => {
    setWish(policy)
    try {
      const body = { policy, assistant_id: assistantId }
      queryClient.setQueryData(queryKey, await call(setToolPolicy, { params, body }))
    } catch (error) {
      void toast.error(errorText(t, error))
    } finally {
      setWish(null)
    }
  }
  return (
    <Choice name={t('policies.of', { tool: tool.ui_name })}>
      {ToolPolicy.options.map((policy) => (
        <Segment key={policy} isOn={(wish ?? data?.policy) === policy} onClick={() => void choose(policy)}>
          {t(`policies.${policy}`)}
        </Segment>
      ))}
    </Choice>
  )
}
