import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { closeChatPanel, openPanel, useChatPanel } from '../../platform/lib/chat-panel.ts'
import { useCurrentSession } from '../../platform/lib/current-session.ts'
import { ToolCard } from './card/tool-card.tsx'
import { openRerun, useRerun } from './execution/use-rerun.ts'
import { useTrouble } from './look/use-trouble.ts'

/** Tool call inside a reply. Its card opens the details in the right sidebar. */
export function ToolStep({ block }: { block: ToolBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const isOn = useChatPanel(
    ({ shown, subject, origin }) => shown === 'artifact' && (subject === block.id || origin === block.id),
  )
  const sessionId = useCurrentSession((state) => state.id)
  const { rerun, isStarting } = useRerun(block, sessionId, openRerun(block.id))
  const trouble = useTrouble(block.tool_id)
  const edit = () => openPanel('artifact', block.id, { isEditing: true })
  const remedies = {
    // A rerun needs the whole input, which the panel loads.
    retry: block.input_ref ? edit : () => rerun(),
    edit,
    isBusy: isStarting,
  }
  return (
    <ToolCard
      block={block}
      isOn={isOn}
      onOpen={() => (isOn ? closeChatPanel() : openPanel('artifact', block.id))}
      note={trouble}
      consequence={t('tool.goes_on')}
      {...(!trouble && { remedies })}
    />
  )
}
