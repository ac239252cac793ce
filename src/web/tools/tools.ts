export { ToolChip } from './tool-chip.tsx'
export { ToolDescription } from './tool-description.tsx'
export { ToolStep } from './tool-step.tsx'
