import type { TrashItem } from '#shared/chat/trash/trash.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'

type SelectionLineProps = {
  items: readonly TrashItem[]
  selected: readonly TrashItem[]
  isBusy: boolean
  onAll: (isAll: boolean) => void
  onRestore: () => void
  onDelete: () => void
}

/** Selects all items of the trash, and acts on the selected ones. Its height never changes. */
export function SelectionLine({ items, selected, isBusy, onAll, onRestore, onDelete }: SelectionLineProps) {
  const { t } = useTranslation('trash')
  const count = selected.length
  return (
    <div className="flex h-8 items-center gap-2 pl-4.5 text-13 max-md:h-11 max-md:pl-3">
      <Checkbox
        label={<span className="num text-ink-2">{t('selected', { count })}</span>}
        checked={count > 0 && count === items.length}
        mixed={count > 0 && count < items.length}
        onCheckedChange={onAll}
      />
      <span className="flex-1" />
      {count > 0 && (
        <>
          <Button size="sm" disabled={isBusy} onClick={onRestore}>
            {t('restore')}
          </Button>
          <Button size="sm" variant="danger-ghost" disabled={isBusy} onClick={onDelete}>
            {t('delete')}
          </Button>
        </>
      )}
    </div>
  )
}
