export { InboxWaiting } from './inbox-waiting.tsx'
