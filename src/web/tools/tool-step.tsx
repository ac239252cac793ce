import type { ToolBlock } from '#shared/runs/blocks.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { closeChatPanel, openPanel, useChatPanel } from '../lib/chat-panel.ts'
import { ToolCard } from './tool-card.tsx'
import { useTrouble } from './use-trouble.ts'

/** A call of a tool inside a reply: its card, which opens everything about it in the right sidebar. */
export function ToolStep({ block }: { block: ToolBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const isOn = useChatPanel(({ shown, subject }) => shown === 'artifact' && subject === block.id)
  return (
    <ToolCard
      block={block}
      isOn={isOn}
      onOpen={() => (isOn ? closeChatPanel() : openPanel('artifact', block.id))}
      note={useTrouble(block.tool_id)}
      consequence={t('tool.goes_on')}
    />
  )
}
