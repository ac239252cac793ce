import type { TFunction } from 'i18next'
import { Milestone } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Block } from '#shared/runs/blocks.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { useReplyOfCheckpoints } from './use-checkpoints.ts'

type CheckpointBlock = Extract<Block, { type: 'checkpoint' }>

const Returnable = lazy(() => import('./returnable-checkpoint.tsx'))

/** A place of the run that can be returned to; neighbouring ones are one place, named after what was done. */
export function CheckpointDivider({ blocks }: { blocks: readonly CheckpointBlock[] }) {
  const { t } = useTranslation('streaming_blocks')
  const replyId = useReplyOfCheckpoints()
  const block = blocks.find((one) => !one.checkpoint_name.includes('llm_checkpoint')) ?? blocks[0]
  if (!block) return null
  const words = checkpointLabel(t, block.checkpoint_name)
  return (
    <div className="group/checkpoint my-1.5 flex h-5 items-center gap-2 text-12 text-ink-3">
      <span aria-hidden className="h-px w-3 flex-none bg-line" />
      <Milestone aria-hidden className="icon-12 flex-none" />
      {replyId ? (
        <Suspense fallback={<Words>{words}</Words>}>
          <Returnable replyId={replyId} block={block} words={words} />
        </Suspense>
      ) : (
        <Words>{words}</Words>
      )}
    </div>
  )
}

function Words({ children }: { children: ReactNode }) {
  return (
    <>
      <span className="truncate">{children}</span>
      <span aria-hidden className="h-px min-w-3 flex-1 bg-line" />
    </>
  )
}

const labels: [RegExp, string][] = [
  [/waiting_for_input/, 'waiting'],
  [/_with_input/, 'answered'],
  [/after_step(\d+)/, 'after'],
  [/step(\d+)/, 'before'],
  [/llm_checkpoint(?:_(\d+))?/, 'model'],
  [/completed/, 'completed'],
]

/** A checkpoint's name in words; what has no words of its own stays as it is. Names count steps from 0. */
export function checkpointLabel(t: TFunction, name: string): string {
  for (const [pattern, label] of labels) {
    const found = pattern.exec(name)
    if (!found) continue
    const number = Number(found[1] ?? 0) + (label === 'model' ? 0 : 1)
    const key = label === 'model' && found[1] === undefined ? 'model_any' : label
    return t(`streaming_blocks:checkpoint.${key}`, { number })
  }
  return name.replaceAll('_', ' ')
}
