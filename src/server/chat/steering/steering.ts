export { claimNotes, hasNotes, markRead, type SteeringNote } from './store.ts'
