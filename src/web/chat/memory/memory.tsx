import { type ComponentType, lazy, Suspense } from 'react'
import { loadTexts } from '../../platform/i18n/i18n.ts'
import type { MemoryOfReply } from './use-chat-memory.ts'

const load = async () => (await Promise.all([import('./reply-memory.tsx'), loadTexts('memory')]))[0]

const Button = lazy(() => load().then((file) => ({ default: file.UsedFacts })))
const Proposals = lazy(() => load().then((file) => ({ default: file.Proposals })))

/** The facts a reply was given, behind a button in its actions. */
export const MemoryButton = suspended(Button)
/** The facts proposed with a reply, below it. */
export const MemoryProposals = suspended(Proposals)

function suspended(Part: ComponentType<MemoryOfReply>) {
  return function MemoryPart(reply: MemoryOfReply) {
    return (
      <Suspense fallback={null}>
        <Part {...reply} />
      </Suspense>
    )
  }
}
