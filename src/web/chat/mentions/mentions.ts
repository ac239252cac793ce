export { addMentions, clearMentions, mentionsIn } from './mention-store.ts'
export { loadMentions, MessageMentions, useMentionMenu } from './use-mention-menu.tsx'
