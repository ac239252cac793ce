import { Search } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Kbd } from '../../../platform/ui/kbd.tsx'

type PaletteFieldProps = {
  listId: string
  activeId: string | null
  typed: string
  onType: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  /** The project that the palette is limited to. */
  chip: ReactNode
  end: ReactNode
}

/** The search field. It keeps the focus and refers to the active entry by `aria-activedescendant`. */
export function PaletteField({ listId, activeId, typed, onType, onKeyDown, chip, end }: PaletteFieldProps) {
  const { t } = useTranslation('palette')
  return (
    <div className="flex h-14 flex-none items-center gap-3 border-b border-line pr-4 pl-4.5 max-md:h-15 max-md:pr-1.5">
      <Search aria-hidden className="icon-18 flex-none text-ink-2" />
      {chip}
      <input
        // biome-ignore lint/a11y/noAutofocus: the palette is opened to type.
        autoFocus
        type="text"
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={activeId ?? undefined}
        aria-label={t('field')}
        placeholder={t('field')}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={200}
        value={typed}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={onKeyDown}
        className="min-w-0 flex-1 bg-transparent text-[18px] tracking-[-0.012em] outline-none placeholder:text-ink-3"
      />
      <span className="max-md:hidden">
        <Kbd>{t('keys.esc')}</Kbd>
      </span>
      {end}
    </div>
  )
}
