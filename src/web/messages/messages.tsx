export { ChatView } from './chat-view.tsx'
export { MessageRow } from './message-row.tsx'
export { type ChatMessage, messageStore, resetMessages, useMessages } from './message-store.ts'
