import type { TFunction } from 'i18next'
import { Milestone, Pencil, Undo2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Block } from '#shared/runs/blocks.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useCheckpoints, useReplyOfCheckpoints } from './use-checkpoints.ts'

type CheckpointBlock = Extract<Block, { type: 'checkpoint' }>

const NameField = lazy(() => import('./checkpoint-name-field.tsx'))

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
      {replyId ? <Returnable replyId={replyId} block={block} words={words} /> : <Words>{words}</Words>}
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

type ReturnableProps = { replyId: string; block: CheckpointBlock; words: string }

/** Of a reply that is not being written: the place has the name it was given, and can be returned to. */
function Returnable({ replyId, block, words }: ReturnableProps) {
  const { t } = useTranslation('streaming_blocks')
  const { data } = useCheckpoints()
  const [isNaming, setNaming] = useState(false)
  const label = data?.find(({ id }) => id === block.id)?.label ?? null
  const name = label ?? words
  if (isNaming)
    return (
      <Suspense fallback={<Words>{name}</Words>}>
        <NameField id={block.id} label={label} placeholder={words} onEnd={() => setNaming(false)} />
      </Suspense>
    )
  return (
    <>
      <span className="truncate">{name}</span>
      <IconButton
        name={t('checkpoint.rename', { name })}
        size="xs"
        className="-mx-1 opacity-0 group-hover/checkpoint:opacity-100 focus-visible:opacity-100 touch:opacity-100"
        onClick={() => setNaming(true)}
      >
        <Pencil aria-hidden className="icon-12" />
      </IconButton>
      <span aria-hidden className="h-px min-w-3 flex-1 bg-line" />
      <Button
        variant="ghost"
        size="sm"
        className="-mr-0.5 h-6! px-2!"
        aria-label={t('checkpoint.return_to', { name })}
        icon={<Undo2 aria-hidden className="icon-14" />}
        onClick={() => void import('./task-actions.ts').then(({ returnTo }) => returnTo(replyId, block, t))}
      >
        {t('checkpoint.return')}
      </Button>
    </>
  )
}

const labels: [RegExp, string][] = [
  [/waiting_for_input(?!.*_with_input)/, 'waiting'],
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
