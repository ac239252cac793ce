import { X } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { selectTool } from '../../../platform/lib/selected-tools.ts'
import { toolIcon } from './tool-look.ts'
import { useToolName } from './tool-name.ts'

/** Chip for the tool selected for the next messages. A click deselects it. */
export function ToolChip({ sessionId, toolId }: { sessionId: string; toolId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const name = useToolName(toolId, toolId)
  const Icon = toolIcon(toolId)
  return (
    <span className="inline-flex h-7 min-w-0 items-center gap-1.5 rounded-pill border border-accent-line bg-accent-soft pl-2.5 text-12 font-medium text-accent max-md:h-9">
      <Icon aria-hidden className="icon-14" />
      <span className="truncate">{name}</span>
      <button
        type="button"
        aria-label={t('tool.let_go', { tool: name })}
        data-tip={t('tool.let_go', { tool: name })}
        onClick={() => selectTool(sessionId, null)}
        className="inline-grid size-7 flex-none place-items-center rounded-pill hover-motion hover:bg-accent-line max-md:size-9"
      >
        <X aria-hidden className="icon-12" />
      </button>
    </span>
  )
}
