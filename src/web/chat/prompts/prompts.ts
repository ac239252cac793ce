export { usePromptMenu } from './fill/use-prompt-menu.tsx'
export { SavePromptButton } from './save-prompt-button.tsx'
