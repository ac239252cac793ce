import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import type { ChatMessage } from '../chat/message-store.ts'

/** Preloads the code of branches, which a chat does not need at first. */
export async function warmBranches(): Promise<Parts> {
  loaded ??= await import('./branch-parts.ts')
  return loaded
}

type Parts = typeof import('./branch-parts.ts')

let loaded: Parts | null = null

export const BranchBadge = part<object>((parts) => parts.BranchBadge)
export const BranchSwitcher = part<{ messageId: string; place: string }>((parts) => parts.BranchSwitcher)
/** Its space is reserved until it is loaded. */
export const FeedbackButtons = part<{ sessionId: string; messageId: string }>(
  (parts) => parts.FeedbackButtons,
  <span className="w-16" />,
)
export const EditForm = part<{ messageId: string }>((parts) => parts.EditForm)
/** Its space is reserved until it is loaded. */
export const ForkButton = part<{ message: ChatMessage; isSmall?: boolean }>(
  (parts) => parts.ForkButton,
  <span className="w-8" />,
)
export const HiddenFuture = part<{ messageId: string }>((parts) => parts.HiddenFuture)
export const WritingElsewhere = part<object>((parts) => parts.WritingElsewhere)
/** Its space is reserved until it is loaded. */
export const RegenerateButton = part<{ message: ChatMessage }>(
  (parts) => parts.RegenerateButton,
  <span className="w-13" />,
)

function part<Props extends object>(
  pick: (parts: Parts) => ComponentType<Props>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Part = lazy(() => warmBranches().then((parts) => ({ default: pick(parts) })))
  return function BranchPart(props) {
    // Loaded code is rendered synchronously, because a fallback would stay for a third of a second.
    const [Loaded] = useState(() => loaded && pick(loaded))
    if (Loaded) return <Loaded {...props} />
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    )
  }
}
