import { FileText, MessageSquare, RotateCcw, Trash2 } from 'lucide-react'
import type { TrashItem } from '#shared/chat/trash/trash.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { titleOf } from '../../runs/sessions/sessions.ts'

const DAY_MS = 86_400_000

type TrashRowProps = {
  item: TrashItem
  isSelected: boolean
  isBusy: boolean
  onSelect: (isSelected: boolean) => void
  onRestore: () => void
  onDelete: () => void
}

/** A deleted chat or document, and how long it can be restored. */
export function TrashRow({ item, isSelected, isBusy, onSelect, onRestore, onDelete }: TrashRowProps) {
  const { t } = useTranslation('trash')
  const { kind, id, deleted_at, ends_at } = item
  const name = kind === 'chat' ? titleOf({ id, title: item.name }, t) : item.name
  const left = Math.max(1, Math.ceil((new Date(ends_at).getTime() - Date.now()) / DAY_MS))
  const Icon = kind === 'chat' ? MessageSquare : FileText
  return (
    <li
      data-trashed={id}
      className="flex items-center gap-3 py-2.5 pr-2 pl-4 hover-motion hover:bg-surface max-md:pl-3"
    >
      <Checkbox aria-label={t('select', { name })} checked={isSelected} onCheckedChange={onSelect} />
      <Icon aria-hidden className="icon flex-none text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="truncate text-14 font-medium" dir="auto">
          <span className="sr-only">{t(`kind.${kind}`)} </span>
          {name}
        </p>
        <p className="num text-12 text-ink-3">
          {t('left', { count: left })} · {t('deleted_on', { date: formatDate(new Date(deleted_at)) })}
        </p>
      </div>
      <Button
        size="sm"
        aria-label={t('restore_named', { name })}
        disabled={isBusy}
        icon={<RotateCcw aria-hidden className="icon-14" />}
        onClick={onRestore}
      >
        <span className="max-md:sr-only">{t('restore')}</span>
      </Button>
      <IconButton name={t('delete_named', { name })} size="sm" disabled={isBusy} onClick={onDelete}>
        <Trash2 aria-hidden className="icon" />
      </IconButton>
    </li>
  )
}
