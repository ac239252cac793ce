import { EyeOff } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { SheetEntry } from '#shared/knowledge/documents/kept-files.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'

type SheetTabsProps = { sheets: readonly SheetEntry[]; at: number; onChange: (at: number) => void }

/** Lists the sheets of a workbook; hidden sheets are included and labelled. */
export function SheetTabs({ sheets, at, onChange }: SheetTabsProps) {
  const { t } = useTranslation('documents')
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (at + step + sheets.length) % sheets.length
    onChange(next)
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <div role="tablist" aria-label={t('viewer.sheet.sheets')} className="sheet-tabs" onKeyDown={onKeyDown}>
      {sheets.map(({ name, hidden }, place) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: the sheets of a file never move.
          key={place}
          type="button"
          role="tab"
          aria-selected={place === at}
          tabIndex={place === at ? 0 : -1}
          onClick={() => onChange(place)}
        >
          {hidden && <EyeOff aria-hidden className="icon-14" />}
          {name}
          {hidden && <span className="text-ink-3">{t('viewer.sheet.hidden')}</span>}
        </button>
      ))}
    </div>
  )
}
