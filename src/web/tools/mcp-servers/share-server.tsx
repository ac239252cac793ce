import type { McpServer } from '#shared/tools/own-tools/mcp-servers.ts'
import { ShareButton, ShareDialog } from '../../identity/sharing/sharing.tsx'
import { useTranslation } from '../../platform/i18n/i18n.ts'

/** Opens the share dialog of an MCP server. */
export function ShareServer({ server: { id, name, oauth } }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  return (
    <ShareButton isInBar>
      {(onClose) => (
        <ShareDialog
          thing={{ kind: 'tool_set', id, name }}
          note={t(oauth ? 'servers.sharing_accounts' : 'servers.sharing_hint')}
          onClose={onClose}
        />
      )}
    </ShareButton>
  )
}
