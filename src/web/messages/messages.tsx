import './messages.css'

export { Composer } from './composer.tsx'
export { MessageBlocks } from './message-blocks.tsx'
export { goToBranch } from './switch-branch.ts'
export { TranscriptSkeleton } from './transcript-skeleton.tsx'
export { useLeaf } from './use-leaf.ts'
export { Examples, Greeting } from './welcome.tsx'
