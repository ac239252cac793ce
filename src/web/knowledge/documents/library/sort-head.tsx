import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { firstOrder } from './filter-choices.ts'
import type { LibraryFilter, Sort } from './library-filter.ts'
import type { Selection } from './selection.ts'
import './rows.css'

type Props = {
  filter: LibraryFilter
  change: (part: Partial<LibraryFilter>) => void
  selection: Selection
  total: number
  onAll: () => void
  onNone: () => void
}

/** The column headers of the list; most of them sort. */
export function SortHead({ filter, change, selection, total, onAll, onNone }: Props) {
  const { t } = useTranslation('documents')
  const count = selection.chosen.size
  const column = (by: Sort, className?: string) => (
    <SortColumn by={by} filter={filter} change={change} className={className} />
  )
  return (
    <div className="doc-row doc-head">
      <Checkbox
        aria-label={t('selection.choose_all')}
        checked={count > 0 && count >= total}
        mixed={count > 0 && count < total}
        onCheckedChange={() => (count > 0 ? onNone() : onAll())}
      />
      {column('type')}
      {column('name')}
      {column('status')}
      <span className="doc-content">{t('column.content')}</span>
      {column('size', 'doc-size')}
      {column('date')}
    </div>
  )
}

function SortColumn({
  by,
  filter: { sort, order },
  change,
  className = '',
}: Pick<Props, 'filter' | 'change'> & { by: Sort; className?: string | undefined }) {
  const { t } = useTranslation('documents')
  const isOn = sort === by
  const first = firstOrder(by)
  const next = isOn ? (order === 'asc' ? 'desc' : 'asc') : first
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <span className={className}>
      <button
        type="button"
        aria-pressed={isOn}
        aria-label={t('sort.button', { order: t(`sort.${by}_${next}`) })}
        className="doc-sort"
        onClick={() => change({ sort: by, order: next })}
      >
        {t(`column.${by}`)}
        {isOn && <Arrow aria-hidden className="icon-12" />}
      </button>
    </span>
  )
}
