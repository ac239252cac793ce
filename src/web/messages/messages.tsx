import './messages.css'

export { Composer } from './composer.tsx'
export { MessageBlocks } from './message-blocks.tsx'
export { TranscriptSkeleton } from './transcript-skeleton.tsx'
export { Examples, Greeting } from './welcome.tsx'
