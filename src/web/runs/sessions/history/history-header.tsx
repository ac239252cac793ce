import { useNavigate } from '@tanstack/react-router'
import { Archive, Trash2 } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import type { HistoryHeading } from './history-rows.ts'
import { noSelection, type Selection, startSelection, toggleAll } from './selection.ts'

type HistoryHeaderProps = {
  heading: HistoryHeading
  /** The header at the top of the list has the controls, so that they are always reachable. */
  isStuck: boolean
  selection: Selection
  total: number
  order: readonly string[]
  onSelection: (selection: Selection) => void
  /** Opens the archive; null where it is open already. */
  onArchive: (() => void) | null
}

/** The heading of a group. At the top of the list, it also switches the multi-select mode. */
export function HistoryHeader({
  heading,
  isStuck,
  selection,
  total,
  order,
  onSelection,
  onArchive,
}: HistoryHeaderProps) {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const label = t(`history.groups.${heading}`)
  const count = selection.ids.size
  if (isStuck && selection.isActive)
    return (
      <div className={look}>
        <span className="flex items-center gap-2 pl-px">
          <Checkbox
            aria-label={t('history.select_all')}
            checked={count > 0 && count === order.length}
            mixed={count > 0 && count < order.length}
            onCheckedChange={() => onSelection(toggleAll(selection, order))}
          />
          <span className="num">{t('history.of_total', { count, total })}</span>
        </span>
        <Button variant="ghost" size="sm" className="-mb-1.5" onClick={() => onSelection(noSelection)}>
          {t('history.done')}
        </Button>
      </div>
    )
  return (
    <div className={look}>
      <h2 className="font-medium">{label}</h2>
      {isStuck && (
        <span className="-mb-1.5 flex items-center gap-1">
          {onArchive && (
            <IconButton name={t('history.archive_open')} size="sm" onClick={onArchive}>
              <Archive aria-hidden className="icon-14" />
            </IconButton>
          )}
          <IconButton name={t('history.trash')} size="sm" onClick={() => void navigate({ to: '/trash' })}>
            <Trash2 aria-hidden className="icon-14" />
          </IconButton>
          <Button variant="ghost" size="sm" onClick={() => onSelection(startSelection())}>
            {t('history.select')}
          </Button>
        </span>
      )}
    </div>
  )
}

const look =
  'flex h-full items-end justify-between bg-surface pr-1 pb-2.5 pl-3 text-12 font-medium text-ink-3'
