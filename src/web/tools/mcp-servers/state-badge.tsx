import type { McpServerSummary } from '#shared/tools/own-tools/mcp-servers.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'

/** Shows whether a server responds, or is not queried because a sign-in is missing. */
export function StateBadge({ error, is_known }: Pick<McpServerSummary, 'error' | 'is_known'>) {
  const { t } = useTranslation('tools')
  if (!is_known) return <Badge tone="warning">{t('servers.sign_in')}</Badge>
  const isThere = error === null
  return (
    <Badge tone={isThere ? 'success' : 'danger'}>{t(isThere ? 'servers.connected' : 'servers.away')}</Badge>
  )
}
