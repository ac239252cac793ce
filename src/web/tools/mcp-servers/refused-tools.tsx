import type { McpServer } from '#shared/tools/own-tools/mcp-servers.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { listOf } from './server-facts.tsx'

const reasons = ['name', 'inputs', 'large', 'many'] as const

/** Names the tools of a server that are left out, with a sentence for each reason. */
export function RefusedTools({ server: { server } }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const { refused = [] } = server
  if (refused.length === 0) return null
  return (
    <Callout tone="warning" title={t('servers.refused.title')}>
      {reasons.map((reason) => {
        const names = refused.flatMap(({ name, why }) => (why === reason ? [name] : []))
        if (names.length === 0) return null
        const tools = listOf(names.map((name) => name.trim() || t('servers.refused.unnamed')))
        return <p key={reason}>{t(`servers.refused.${reason}`, { tools })}</p>
      })}
    </Callout>
  )
}
