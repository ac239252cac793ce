import clsx from 'clsx'
import { type MouseEvent, useEffect } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Kbd } from '../../../platform/ui/kbd.tsx'
import { Marked } from '../../../platform/ui/marked.tsx'
import type { EntryGroup, PaletteEntry } from './entry.ts'
import { markTyped } from './mark-typed.ts'

type PaletteListProps = {
  listId: string
  groups: readonly EntryGroup[]
  /** Place of the active entry among all entries. */
  at: number
  /** The words that the groups belong to; null before the first answer. */
  typed: string | null
  onPoint: (entry: PaletteEntry) => void
  onChoose: (entry: PaletteEntry, isNewTab: boolean) => void
}

/** The entries of the palette by group. */
export function PaletteList({ listId, groups, at, typed, onPoint, onChoose }: PaletteListProps) {
  const { t } = useTranslation('palette')
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other groups put another entry at the place.
  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, at, groups])
  let place = -1
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-2 pt-1 pb-2">
      <div id={listId} role="listbox" aria-label={t('results')} data-words={typed ?? undefined}>
        {groups.map(({ group, entries }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options.
          <div key={group} role="group" aria-labelledby={`${listId}-${group}`}>
            <div id={`${listId}-${group}`} className="px-3 pt-3 pb-1.5 text-12 leading-4 text-ink-3">
              {t(`groups.${group}`)}
            </div>
            {entries.map((entry) => {
              place += 1
              return (
                <Line
                  key={entry.id}
                  id={`${listId}-${place}`}
                  {...{ entry }}
                  typed={typed ?? ''}
                  isActive={place === at}
                  onPoint={() => onPoint(entry)}
                  onChoose={(isNewTab) => onChoose(entry, isNewTab)}
                />
              )
            })}
          </div>
        ))}
      </div>
      <p role="status" className={count > 0 ? 'sr-only' : 'px-3 py-6 text-center text-13 text-ink-3'}>
        {count > 0 ? t('count', { count }) : typed && t('nothing', { words: typed })}
      </p>
    </div>
  )
}

type LineProps = {
  id: string
  entry: PaletteEntry
  typed: string
  isActive: boolean
  onPoint: () => void
  onChoose: (isNewTab: boolean) => void
}

function Line({ id, entry, typed, isActive, onPoint, onChoose }: LineProps) {
  const { t } = useTranslation('palette')
  const click = (event: MouseEvent) => onChoose(event.ctrlKey || event.metaKey)
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active entry.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onClick={click}
      onPointerMove={() => !isActive && onPoint()}
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      className={clsx(
        'relative flex h-9.5 cursor-pointer items-center gap-2.5 rounded-control px-3 text-14 max-md:h-12',
        isActive &&
          'bg-surface-2 before:absolute before:inset-y-[9px] before:left-0 before:w-0.5 before:rounded-pill before:bg-accent',
      )}
    >
      <span className="grid w-5 flex-none place-items-center text-ink-2">{entry.icon}</span>
      <span className="min-w-0 flex-initial truncate">
        <Marked parts={markTyped(entry.title, typed)} />
      </span>
      <span className="min-w-0 flex-1 truncate text-13 text-ink-3">{entry.detail}</span>
      {entry.keys ??
        (isActive && (
          <span className="flex flex-none items-center gap-1.5 text-12 text-ink-3 max-md:hidden">
            {t(entry.run ? 'foot.run' : 'foot.open')} <Kbd>↵</Kbd>
          </span>
        ))}
    </div>
  )
}
