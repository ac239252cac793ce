import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { useTool } from './use-tools.ts'

/** Returns the problem of a tool named in a reply; undefined when there is none. */
export function useTrouble(toolId: string): string | undefined {
  const { t } = useTranslation('streaming_blocks')
  const { error, data } = useTool(toolId)
  if (toolId === '') return t('tool.id_missing')
  if (!error || data) return undefined
  return isApiError(error, 404) ? t('tool.not_found', { id: toolId }) : t('tool.details_failed')
}
