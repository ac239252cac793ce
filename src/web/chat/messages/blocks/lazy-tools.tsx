import { lazy, Suspense, useState } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { useSelectedTool } from '../../../platform/lib/selected-tools.ts'
import type { CustomComponent } from '../../../platform/markdown/markdown.tsx'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'

let loaded: typeof import('../../../tools/tools/tools.ts') | null = null

/** Preloads the tool cards. */
export async function warmTools() {
  loaded = await import('../../../tools/tools/tools.ts')
  return loaded
}

/** Returns whether the cards of these tools can be shown immediately. */
export const areToolsReady = (toolIds: readonly string[]) =>
  toolIds.length === 0 || (loaded?.areCardsReady(toolIds) ?? false)

/** Loads the cards of these tools. */
export async function prepareTools(toolIds: readonly string[]): Promise<void> {
  if (toolIds.length > 0) await (await warmTools()).prepareCards(toolIds)
}

const LateStep = lazy(() => warmTools().then(({ ToolStep }) => ({ default: ToolStep })))
const Description = lazy(() => warmTools().then(({ ToolDescription }) => ({ default: ToolDescription })))
const Chip = lazy(() => warmTools().then(({ ToolChip }) => ({ default: ToolChip })))

/** A tool call; reserves its space until its code is loaded. */
export function ToolStep({ block }: { block: ToolBlock }) {
  // A lazy component shows its fallback first even if its code is loaded.
  const [Step] = useState(() => loaded?.ToolStep ?? LateStep)
  return (
    <Suspense fallback={<Skeleton className="h-12 rounded-card" />}>
      <Step block={block} />
    </Suspense>
  )
}

/** The tool chosen for the next messages. */
export function ToolChip({ sessionId }: { sessionId: string | null }) {
  const toolId = useSelectedTool(sessionId)
  if (!sessionId || !toolId) return null
  return (
    <Suspense fallback={null}>
      <Chip sessionId={sessionId} toolId={toolId} />
    </Suspense>
  )
}

/** Tags in a reply's text that represent interface elements: `<tool-description id="…"></tool-description>`. */
export const markers: Record<string, CustomComponent> = {
  'tool-description': ({ attributes }) => (
    <Suspense fallback={null}>
      <Description toolId={attributes.id ?? ''} />
    </Suspense>
  ),
}
