import { Trash2 } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'

type DeleteBarProps = { count: number; onCancel: () => void; onDelete: () => void }

/** Actions on the selected sessions, at the bottom of the list. */
export function DeleteBar({ count, onCancel, onDelete }: DeleteBarProps) {
  const { t } = useTranslation('common')
  return (
    <div className="flex h-14 flex-none items-center gap-2 border-t border-line bg-raised px-3">
      <span role="status" className="num min-w-0 flex-1 truncate text-13 font-medium">
        {t('history.selected', { count })}
      </span>
      <Button variant="ghost" onClick={onCancel}>
        {t('history.cancel')}
      </Button>
      <Button
        variant="danger"
        icon={<Trash2 aria-hidden className="icon" />}
        disabled={count === 0}
        onClick={onDelete}
      >
        {t('history.delete_selected', { count })}
      </Button>
    </div>
  )
}
