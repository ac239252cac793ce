export { AssistantChoice } from './assistant-choice.tsx'
export { AssistantOptions } from './assistant-options.tsx'
export { AssistantNote, AssistantSection } from './assistant-section.tsx'
export { fetchAssistants } from './use-assistants.ts'
