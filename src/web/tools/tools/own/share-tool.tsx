import type { OwnTool } from '#shared/tools/own-tools/own-tools.ts'
import { ShareButton, ShareDialog } from '../../../identity/sharing/sharing.tsx'
import { useTranslation } from '../../../platform/i18n/i18n.ts'

type ShareToolProps = { own: OwnTool; isInBar?: boolean }

/** Opens the share dialog of a tool, which is shared with all tools of its set. */
export function ShareTool({ own: { tool, set, auth }, isInBar = false }: ShareToolProps) {
  const { t } = useTranslation('own_tools')
  const hint = t(auth?.kind === 'oauth2_user' ? 'sharing.hint_accounts' : 'sharing.hint')
  const isOfSet = set.tools > 1
  return (
    <ShareButton isInBar={isInBar}>
      {(onClose) => (
        <ShareDialog
          thing={{ kind: 'tool_set', id: set.id, name: isOfSet ? set.name : tool.ui_name }}
          note={isOfSet ? `${t('sharing.whole', { count: set.tools })} ${hint}` : hint}
          onClose={onClose}
        />
      )}
    </ShareButton>
  )
}
