import { useQuery } from '@tanstack/react-query'
import type { AskedTool } from '#shared/runs/runs/request.ts'
import { getTool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useToken } from '../../platform/lib/me/token.ts'

/** Returns the tool a person is asked about if it was made by someone; built-in tools need no more details. */
export function useMadeTool({ tool_id: toolId = '', tool_version }: Partial<AskedTool> = {}) {
  const token = useToken()
  const { data } = useQuery(
    {
      queryKey: ['tool', toolId],
      queryFn: ({ signal }) => call(getTool, { params: { toolId }, signal }),
      enabled: token !== null && tool_version !== undefined,
      staleTime: 60_000,
      retry: false,
    },
    queryClient,
  )
  return data
}

/** Shows a server's claim about its tool's effects, marked as a claim, and whether the tool has changed since it was allowed. */
export function ServerWord({ tool }: { tool: ReturnType<typeof useMadeTool> }) {
  const { t } = useTranslation('streaming_blocks')
  if (!tool?.said) return null
  const { claim, news } = tool.said
  return (
    <p className="text-13 text-ink-2">
      {t(`input.claims.${claim}`)}
      {(news === 'changed' || news === 'moved') && (
        <strong className="block font-medium text-warning">{t(`input.claims.${news}`)}</strong>
      )}
    </p>
  )
}
