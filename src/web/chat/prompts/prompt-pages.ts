export { CreatePromptView, PromptView } from './editor/prompt-view.tsx'
export { PromptsView } from './list/prompts-view.tsx'
