import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { ToolIcon, useToolTexts } from './tool-texts.tsx'
import { useTool } from './use-tools.ts'
import { useTrouble } from './use-trouble.ts'

/** Inline card of a tool mentioned in a reply. Uses only spans, because it is inside a paragraph. */
export function ToolDescription({ toolId }: { toolId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const { data: tool } = useTool(toolId)
  const trouble = useTrouble(toolId)
  if (trouble) return <span className="block text-13 text-ink-3">{trouble}</span>
  if (!tool) return <span aria-hidden className="block h-16 animate-pulse rounded-card bg-surface-2" />
  return (
    <span className="my-2 flex items-center gap-3 rounded-card border border-line bg-surface p-3 text-13">
      <span className="inline-grid size-8 flex-none place-items-center rounded-row bg-surface-2 text-ink-2">
        <ToolIcon tool={tool} className="icon" />
      </span>
      <Words tool={tool} />
      <a
        href={`/tools/${encodeURIComponent(toolId)}`}
        className="flex-none text-12 font-medium text-accent no-underline hover:underline"
      >
        {t('tool.open_page')}
      </a>
    </span>
  )
}

function Words({ tool }: { tool: Parameters<typeof useToolTexts>[0] }) {
  const { name, description } = useToolTexts(tool)
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate font-medium">{name}</span>
      <span className="line-clamp-2 text-ink-2">{description}</span>
    </span>
  )
}
