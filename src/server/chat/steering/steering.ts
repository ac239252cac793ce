export { assertUnread, claimNotes, hasNotes, markRead, type SteeringNote } from './store.ts'
