import { Pencil, Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { useMayWrite } from '../chat/may-write.ts'
import { checkpointLabel } from './checkpoint-label.ts'
import type { CheckpointBlock } from './group-blocks.ts'

const NameField = lazy(() => import('./checkpoint-name-field.tsx'))

type ItemsProps = {
  blocks: readonly CheckpointBlock[]
  names: ReadonlyMap<string, string>
  /** The reply they belong to; null while it is written, when there is nothing to return to. */
  replyId: string | null
}

/** The checkpoints of one line, each with its time, an inline name and a return button. */
export default function CheckpointItems({ blocks, names, replyId }: ItemsProps) {
  return (
    <ul className="mt-1 mb-2 ml-1.5 border-l border-line pl-2.5">
      {blocks.map((block) => (
        <Item key={block.id} block={block} label={names.get(block.id) ?? null} replyId={replyId} />
      ))}
    </ul>
  )
}

type ItemProps = { block: CheckpointBlock; label: string | null; replyId: string | null }

function Item({ block, label, replyId }: ItemProps) {
  const { t } = useTranslation('streaming_blocks')
  const [isNaming, setNaming] = useState(false)
  const words = checkpointLabel(t, block.checkpoint_name)
  const name = label ?? words
  return (
    <li className="flex h-7 items-center gap-2 max-md:h-10">
      {isNaming ? (
        <Suspense fallback={<span className="flex-1 truncate">{name}</span>}>
          <NameField id={block.id} label={label} placeholder={words} onEnd={() => setNaming(false)} />
        </Suspense>
      ) : (
        <span dir="auto" className="min-w-0 truncate text-ink-2">
          {name}
        </span>
      )}
      {label && !isNaming && <span className="min-w-0 truncate max-md:hidden">{words}</span>}
      <time dateTime={block.created_at} className="num flex-none">
        {block.created_at && formatDate(block.created_at, { timeStyle: 'medium' })}
      </time>
      <span className="flex-1" />
      {replyId && (
        <>
          <IconButton name={t('checkpoint.rename', { name })} size="xs" onClick={() => setNaming(true)}>
            <Pencil aria-hidden className="icon-12" />
          </IconButton>
          <ReturnButton replyId={replyId} block={block} name={name} />
        </>
      )}
    </li>
  )
}

/** Continues from a checkpoint of a finished reply. */
export function ReturnButton({
  replyId,
  block,
  name,
}: {
  replyId: string
  block: CheckpointBlock
  name: string
}) {
  const { t } = useTranslation('streaming_blocks')
  if (!useMayWrite()) return null
  return (
    <Button
      variant="ghost"
      size="sm"
      className="-mr-0.5 h-6! px-2! max-md:h-8!"
      aria-label={t('checkpoint.return_to', { name })}
      icon={<Undo2 aria-hidden className="icon-14" />}
      onClick={() =>
        void import('../standstill/task-actions.ts').then(({ returnTo }) => returnTo(replyId, block, t))
      }
    >
      {t('checkpoint.return')}
    </Button>
  )
}
