export { InboxIcon } from './inbox-icon.tsx'
export { InboxWaiting } from './inbox-waiting.tsx'
export { pageOf, titleOf, wordsOf } from './inbox-words.ts'
