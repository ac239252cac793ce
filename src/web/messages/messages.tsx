export { BranchSwitcher } from './branch-switcher.tsx'

import './messages.css'

export { Composer } from './composer.tsx'
export { HiddenFuture } from './hidden-future.tsx'
export { MessageBlocks } from './message-blocks.tsx'
export { showMessages } from './sample.ts'
export { goToBranch } from './switch-branch.ts'
export { TranscriptSkeleton } from './transcript-skeleton.tsx'
export { useLeaf } from './use-leaf.ts'
export { Examples, Greeting } from './welcome.tsx'
