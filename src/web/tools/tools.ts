import { lazy } from 'react'

export { ToolChip } from './look/tool-chip.tsx'
export { ToolDescription } from './look/tool-description.tsx'
export { ToolStep } from './tool-step.tsx'

/** Everything about one execution; its code is no part of what a chat begins with. */
export const Execution = lazy(() =>
  import('./execution/execution.tsx').then((file) => ({ default: file.Execution })),
)
