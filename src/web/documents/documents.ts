export { ComposerFiles } from './chat/composer-files.tsx'
export { EnvironmentNote, EnvironmentSection } from './chat/environment-section.tsx'
export { cancel, download, remove, retry } from './document-actions.ts'
export { contentText, failureText, isCancelled, progressText, stateText } from './document-words.ts'
