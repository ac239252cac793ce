import { lazy, Suspense, useState } from 'react'
import type { InputRequiredBlock } from '#shared/runs/blocks.ts'
import { stopRun } from '#shared/runs/runs.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/call.ts'
import { queryClient } from '../lib/query-client.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toasts.ts'
import { attachToRun, openChat } from './chat.ts'

const RequestDock = lazy(() =>
  import('../input-requests/input-requests.tsx').then(({ RequestDock }) => ({ default: RequestDock })),
)

type WaitingDockProps = { sessionId: string; requests: readonly InputRequiredBlock[]; onFreed: () => void }

/** What a waiting run asks, in place of the composer. `onFreed` is told when another message can be written. */
export function WaitingDock({ sessionId, requests, onFreed }: WaitingDockProps) {
  const { t } = useTranslation('streaming_blocks')
  const [isStopping, setStopping] = useState(false)
  const stop = async () => {
    setStopping(true)
    try {
      await call(stopRun, { params: { sessionId } })
      await openChat(sessionId)
      void queryClient.invalidateQueries({ queryKey: ['session', sessionId] })
      void queryClient.invalidateQueries({ queryKey: ['input-requests'] })
      onFreed()
    } catch (error) {
      toast.error(errorText(t, error))
    } finally {
      setStopping(false)
    }
  }
  return (
    <Suspense fallback={<Skeleton className="mb-8 h-40 rounded-card" />}>
      <RequestDock
        sessionId={sessionId}
        requests={requests}
        // Whatever became of it, the stream says how things are.
        onSettled={() => attachToRun(sessionId)}
        onStop={() => void stop()}
        isStopping={isStopping}
      />
    </Suspense>
  )
}
