import { Undo2, X } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { forgetUndo, useUndo } from '../undo.ts'

/** The latest actions on chats, each with a button that undoes it. It floats above the list, which must not move. */
export function UndoBar() {
  const { t } = useTranslation('common')
  const offered = useUndo((state) => state.offered)
  const undo = ({ id, undo: takeBack }: (typeof offered)[number]) => {
    forgetUndo(id)
    takeBack().catch(() => toast.error(t('history.undo.failed')))
  }
  return (
    <div className="relative z-2 h-0 flex-none">
      <div
        role="status"
        aria-label={t('history.undo.label')}
        className="absolute inset-x-2 bottom-2 divide-y divide-line rounded-card bg-raised shadow-float"
      >
        {offered.map((one) => (
          <div key={one.id} className="flex h-11 items-center gap-1 pr-2 pl-4">
            <span className="num min-w-0 flex-1 truncate text-13">
              {t(`history.undo.${one.kind}`, { count: one.count })}
            </span>
            <Button
              variant="ghost"
              size="sm"
              icon={<Undo2 aria-hidden className="icon-14" />}
              onClick={() => undo(one)}
            >
              {t('history.undo.action')}
            </Button>
            <IconButton name={t('toast.dismiss')} size="xs" onClick={() => forgetUndo(one.id)}>
              <X aria-hidden className="icon-14" />
            </IconButton>
          </div>
        ))}
      </div>
    </div>
  )
}
