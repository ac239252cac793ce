import { ChevronDown, X } from 'lucide-react'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Menu } from '../../../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../../../platform/ui/overlays/menu-entry.ts'
import './filter-chip.css'

type FilterChipProps = {
  name: string
  /** Current value; null for everything. */
  value: string | null
  onClear: () => void
  /** The choices; a chip without them can only be cleared. */
  entries?: MenuEntry[]
}

/** A filter: a button that opens its choices, and one that clears it. */
export function FilterChip({ name, value, onClear, entries }: FilterChipProps) {
  const { t } = useTranslation('documents')
  const text = value === null ? name : t('filter.value', { name, value })
  return (
    <span className="chip" data-on={value !== null || undefined}>
      {entries ? (
        <Menu
          entries={entries}
          trigger={
            <button type="button" className="chip-open">
              <span className="truncate">{text}</span>
              {value === null && <ChevronDown aria-hidden className="icon-12" />}
            </button>
          }
        />
      ) : (
        <span className="truncate">{text}</span>
      )}
      {value !== null && (
        <button
          type="button"
          aria-label={t('filter.clear', { name })}
          className="chip-clear"
          onClick={onClear}
        >
          <X aria-hidden className="icon-12" />
        </button>
      )}
    </span>
  )
}
