export { ToolChip } from './tool-chip.tsx'
export { ToolStep } from './tool-step.tsx'
