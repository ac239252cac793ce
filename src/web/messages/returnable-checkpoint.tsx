import { Pencil, Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Block } from '#shared/runs/blocks.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useCheckpoints } from './use-checkpoints.ts'

type CheckpointBlock = Extract<Block, { type: 'checkpoint' }>

const NameField = lazy(() => import('./checkpoint-name-field.tsx'))

type ReturnableProps = { replyId: string; block: CheckpointBlock; words: string }

/** Of a reply that is not being written: the place has the name it was given, and can be returned to. */
export default function Returnable({ replyId, block, words }: ReturnableProps) {
  const { t } = useTranslation('streaming_blocks')
  const { data } = useCheckpoints()
  const [isNaming, setNaming] = useState(false)
  const label = data?.find(({ id }) => id === block.id)?.label ?? null
  const name = label ?? words
  if (isNaming)
    return (
      <Suspense fallback={<span className="flex-1 truncate">{name}</span>}>
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
