import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { closeChatPanel } from '../lib/chat-panel.ts'
import { IconButton } from './icon-button.tsx'

/** The header of the right sidebar: title, actions, and a close button. */
export function PanelHeader({
  title,
  icon,
  badges,
  actions,
  onClose = closeChatPanel,
}: {
  title: string
  icon?: ReactNode
  badges?: ReactNode
  actions?: ReactNode
  /** Closes it: by default the right sidebar of the chat; null for no button. */
  onClose?: (() => void) | null
}) {
  const { t } = useTranslation('common')
  return (
    <header className="flex h-13 flex-none items-center gap-2 border-b border-line pr-3 pl-4 [&>svg]:text-ink-2">
      {icon}
      <h2 className="truncate text-14 font-semibold">{title}</h2>
      {badges}
      <span className="flex-1" />
      {actions}
      {onClose && (
        <IconButton name={t('actions.close_panel')} onClick={onClose}>
          <X aria-hidden className="icon" />
        </IconButton>
      )}
    </header>
  )
}
