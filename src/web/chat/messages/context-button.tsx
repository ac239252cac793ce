import { PanelRight } from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { closeChatPanel, openContext, useChatPanel } from '../../platform/lib/chat-panel.ts'
import { Button } from '../../platform/ui/button.tsx'

/** Toggles the right sidebar. */
export function ContextButton() {
  const { t } = useTranslation('streaming_blocks')
  const isOn = useChatPanel((state) => state.shown === 'context')
  return (
    <Button
      variant="ghost"
      aria-expanded={isOn}
      aria-label={t('panel.context')}
      className={isOn ? '!bg-surface-2 !text-ink' : ''}
      icon={<PanelRight aria-hidden className="icon" />}
      onClick={() => (isOn ? closeChatPanel() : openContext())}
    >
      <span className="max-lg:hidden">{t('panel.context')}</span>
    </Button>
  )
}
