import { ChevronDown, ChevronUp, Search as SearchIcon, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isComposing } from '../../web/platform/lib/enter-key.ts'
import { formatNumber, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { IconButton } from '../../web/platform/ui/icon-button.tsx'
import { Input } from '../../web/platform/ui/input.tsx'
import type { Search } from './use-search.ts'

/** Finds text on the pages and moves between hits. On a phone a button opens it. */
export function FindBar({ search }: { search: Search }) {
  const { t } = useTranslation('documents')
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (isOpen) field.current?.querySelector('input')?.focus()
  }, [isOpen])
  const close = () => {
    search.setText('')
    setOpen(false)
  }
  const onKey = (event: KeyboardEvent) => {
    // The field handles arrows, plus and minus itself.
    event.stopPropagation()
    if (isComposing(event)) return
    if (event.key === 'Enter') search.step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  return (
    <>
      <IconButton
        name={t('viewer.find')}
        aria-expanded={isOpen}
        on={isOpen}
        className="viewer-find-open"
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        <SearchIcon aria-hidden className="icon" />
      </IconButton>
      {/* biome-ignore lint/a11y/useSemanticElements: a search landmark for each viewer would be too much. */}
      <span ref={field} role="group" aria-label={t('viewer.find')} className="viewer-find" data-open={isOpen}>
        <Input
          quiet
          type="text"
          icon={<SearchIcon aria-hidden />}
          aria-label={t('viewer.find')}
          placeholder={t('viewer.find')}
          value={search.text}
          className="viewer-find-field"
          onChange={({ currentTarget }) => search.setText(currentTarget.value)}
          onKeyDown={onKey}
          end={<Count search={search} />}
        />
        <IconButton
          size="sm"
          name={t('viewer.hit_before')}
          aria-disabled={search.total === 0}
          onClick={() => search.step(-1)}
        >
          <ChevronUp aria-hidden className="icon" />
        </IconButton>
        <IconButton
          size="sm"
          name={t('viewer.hit_after')}
          aria-disabled={search.total === 0}
          onClick={() => search.step(1)}
        >
          <ChevronDown aria-hidden className="icon" />
        </IconButton>
        <IconButton size="sm" name={t('viewer.find_close')} className="viewer-find-close" onClick={close}>
          <X aria-hidden className="icon" />
        </IconButton>
      </span>
    </>
  )
}

function Count({ search: { query, position, total, isReading } }: { search: Search }) {
  const { t } = useTranslation('documents')
  const isEmpty = total === 0 && !isReading
  return (
    <output className="viewer-find-count num">
      {query === ''
        ? ''
        : isEmpty
          ? t('viewer.no_hit')
          : `${formatNumber(position)} / ${formatNumber(total)}${isReading ? '…' : ''}`}
    </output>
  )
}
