import { lazy, Suspense } from 'react'
import type { InputRequiredBlock } from '#shared/runs/blocks.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { attachToRun } from '../chat/chat.ts'

const RequestDock = lazy(() =>
  import('../../input-requests/input-requests.tsx').then(({ RequestDock }) => ({ default: RequestDock })),
)

type WaitingDockProps = { sessionId: string; requests: readonly InputRequiredBlock[] }

/** What a waiting run asks, above the composer. */
export function WaitingDock({ sessionId, requests }: WaitingDockProps) {
  return (
    <Suspense fallback={<Skeleton className="mb-3 h-40 rounded-card" />}>
      <RequestDock
        sessionId={sessionId}
        requests={requests}
        // Whatever became of it, the stream says how things are.
        onSettled={() => attachToRun(sessionId)}
      />
    </Suspense>
  )
}
