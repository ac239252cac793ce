import { ArrowLeft, X } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { allChats, type HistoryFilter } from './history-filter.ts'
import { useUsedTags } from './tag-dialog.tsx'

/** Tags shown in the menu; the dialog lists all. */
const MAX_CHIPS = 12

type FilterBarProps = {
  filter: HistoryFilter
  onFilter: (filter: HistoryFilter) => void
  /** Number of listed chats; null while unknown. */
  total: number | null
}

/** The filter of the history: the archive, or tags. Each tag is a switch; two narrow the list further. */
export function FilterBar({ filter, onFilter, total }: FilterBarProps) {
  const { t } = useTranslation('common')
  const used = useUsedTags().map(({ tag }) => tag)
  const chips = [...new Set([...filter.tags, ...used])].slice(0, Math.max(MAX_CHIPS, filter.tags.length))
  const toggle = (tag: string) => {
    const tags = filter.tags.includes(tag) ? filter.tags.filter((one) => one !== tag) : [...filter.tags, tag]
    onFilter({ ...filter, tags })
  }
  return (
    <div className="flex-none px-3 pt-2">
      {filter.isArchived && (
        <div className="flex h-9 items-center gap-1.5">
          <IconButton name={t('history.archive_leave')} size="sm" onClick={() => onFilter(allChats)}>
            <ArrowLeft aria-hidden className="icon" />
          </IconButton>
          <h2 className="text-13 font-medium">{t('history.archived')}</h2>
          {total !== null && <span className="num text-12 text-ink-3">{total}</span>}
        </div>
      )}
      {!filter.isArchived && chips.length > 0 && (
        <fieldset className="m-0 flex min-w-0 flex-wrap items-center gap-1 border-0 p-0 pl-1">
          <legend className="sr-only">{t('history.tags.filter')}</legend>
          {chips.map((tag) => {
            const isOn = filter.tags.includes(tag)
            return (
              <button
                key={tag}
                type="button"
                aria-pressed={isOn}
                className={
                  isOn
                    ? 'inline-flex h-6 max-w-40 items-center gap-1 rounded-pill bg-accent-soft px-2 text-12 font-medium text-accent max-md:h-9'
                    : 'inline-flex h-6 max-w-40 items-center rounded-pill border border-line-2 px-2 text-12 text-ink-2 hover-motion hover:bg-surface-2 max-md:h-9'
                }
                onClick={() => toggle(tag)}
              >
                <span dir="auto" className="truncate">
                  {tag}
                </span>
                {isOn && <X aria-hidden className="icon-12" />}
              </button>
            )
          })}
          {filter.tags.length > 0 && (
            <Button variant="ghost" size="sm" onClick={() => onFilter({ ...filter, tags: [] })}>
              {t('history.tags.clear')}
            </Button>
          )}
        </fieldset>
      )}
      <p role="status" className="sr-only">
        {filter.tags.length > 0 && total !== null && t('history.hits', { count: total })}
      </p>
    </div>
  )
}
