/** Entry of tries: a draft of an assistant in a chat next to its form. */
export { TryPanel } from './try-panel.tsx'
export { forgetTry } from './use-try.ts'
