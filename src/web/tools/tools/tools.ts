import { lazy } from 'react'

export { ToolCard } from './card/tool-card.tsx'
export { areCardsReady, prepareCards } from './look/prepare-cards.ts'
export { ToolChip } from './look/tool-chip.tsx'
export { ToolDescription } from './look/tool-description.tsx'
export { serverFailure, toolFailure } from './look/tool-failure.ts'
export { ToolRow, UnavailableTool } from './look/tool-row.tsx'
export { useNameOf } from './look/tool-texts.tsx'
export { useTools } from './look/use-tools.ts'
export { ToolStep } from './tool-step.tsx'

/** Details of an execution, loaded lazily to keep it out of the chat's initial bundle. */
export const Execution = lazy(() =>
  import('./execution/execution.tsx').then((file) => ({ default: file.Execution })),
)
