import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { giveDraft } from '../composer/composer.tsx'
import { useSendWay } from './send-way.ts'

const QueueList = lazy(() => import('./queue-list.tsx'))
const WayChoice = lazy(() => import('./way-choice.tsx'))

type QueueDockProps = {
  sessionId: string
  isRunning: boolean
  /** False for people who only read the chat. */
  mayChange: boolean
  /** Messages of the queue were sent while no reply is followed here. */
  onSent: () => void
}

/** The messages that wait for the run of a chat. */
export function QueueDock({ sessionId, isRunning, mayChange, onSent }: QueueDockProps) {
  return (
    <Suspense>
      <QueueList
        {...{ sessionId, isRunning, mayChange, onSent }}
        onGone={(text) => giveDraft(sessionId, text)}
      />
    </Suspense>
  )
}

/** Returns the choice of what a message does to the run. Each run begins with the queue. */
export function useSendWays(isStreaming: boolean): ReactNode {
  useEffect(() => {
    if (!isStreaming) useSendWay.setState({ way: 'queue' })
  }, [isStreaming])
  if (!isStreaming) return null
  return (
    <Suspense fallback={<div className="mb-2 h-8 max-md:h-11" />}>
      <WayChoice />
    </Suspense>
  )
}
