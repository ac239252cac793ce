import clsx from 'clsx'
import { Archive, Ellipsis } from 'lucide-react'
import { lazy, type MouseEvent, Suspense } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Marked, splitMatch } from '../../../platform/ui/marked.tsx'
import { ContextMenu, Menu } from '../../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import { dateWords } from './history-dates.ts'
import { markWords } from './match-text.ts'
import { addressOf, markOf, titleOf } from './session-mark.ts'
import { SessionMarkIcon } from './session-mark-icon.tsx'

const RenameField = lazy(() => import('./rename-field.tsx').then((file) => ({ default: file.RenameField })))

export type HistoryRowProps = {
  session: Session
  now: Date
  query: string
  isCurrent: boolean
  /** The row in the tab order. */
  isActive: boolean
  isSelecting: boolean
  isSelected: boolean
  isRenaming: boolean
  onOpen: () => void
  onToggle: (isRange: boolean) => void
  onFocus: () => void
  onRename: () => void
  onRenameEnd: (title: string | null) => void
  /** Loads the entries of the row's menu. */
  menu: () => Promise<MenuEntry[]>
}

/** One session of the history: title, day, preview and state; 88 px high. */
export function HistoryRow(props: HistoryRowProps) {
  const { session, isCurrent, isActive, isSelecting, isRenaming } = props
  const { t } = useTranslation('common')
  const title = titleOf(session, t)
  const isUnread = session.is_unread && !isCurrent
  const onClick = (event: MouseEvent) => {
    const isElsewhere = event.metaKey || event.ctrlKey || event.button !== 0
    if (isElsewhere && !isSelecting) return
    event.preventDefault()
    if (isSelecting) props.onToggle(event.shiftKey)
    else props.onOpen()
  }
  return (
    <ContextMenu entries={props.menu} isOff={isRenaming || isSelecting}>
      <div
        className={clsx(
          'group/row relative h-full rounded-row pt-3 pr-3 hover-motion',
          'transition-[padding,background-color] duration-(--d-view) ease-calm',
          isSelecting ? 'pl-10' : 'pl-3',
          rowFill(props),
          isCurrent &&
            'before:absolute before:inset-y-3.5 before:left-0 before:w-0.5 before:rounded-pill before:bg-accent',
        )}
      >
        <Choice {...props} title={title} />
        {isRenaming ? (
          <Suspense fallback={null}>
            <RenameField title={title} onEnd={props.onRenameEnd} />
          </Suspense>
        ) : (
          <>
            <a
              href={addressOf(session)}
              data-row-focus={isSelecting ? undefined : ''}
              tabIndex={isActive && !isSelecting ? 0 : -1}
              aria-current={isCurrent ? 'page' : undefined}
              className="absolute inset-0 scroll-mt-12 rounded-row -outline-offset-2!"
              onClick={onClick}
              onDoubleClick={() => !isSelecting && props.onRename()}
              onFocus={props.onFocus}
            >
              <span className="sr-only">{title}</span>
              {isUnread && <span className="sr-only">{`, ${t('history.unread')}`}</span>}
            </a>
            <TitleLine {...props} {...{ title, isUnread }} />
          </>
        )}
        <Lines {...props} />
      </div>
    </ContextMenu>
  )
}

/** The checkbox: always in the page, so that it can fade, and reachable only in multi-select mode. */
function Choice({
  isSelecting,
  isSelected,
  isActive,
  onToggle,
  onFocus,
  title,
}: HistoryRowProps & { title: string }) {
  const { t } = useTranslation('common')
  return (
    <span
      className={clsx(
        'absolute top-3.5 left-[13px] z-1 transition-[opacity,visibility] duration-(--d-view)',
        isSelecting ? 'visible opacity-100' : 'invisible opacity-0',
      )}
    >
      <Checkbox
        aria-label={t('history.select_one', { title })}
        checked={isSelected}
        data-row-focus={isSelecting ? '' : undefined}
        tabIndex={isSelecting && isActive ? 0 : -1}
        onFocus={onFocus}
        onClick={(event) => {
          if (!event.shiftKey) return
          event.preventDefault()
          onToggle(true)
        }}
        onCheckedChange={() => onToggle(false)}
      />
    </span>
  )
}

function TitleLine({
  session,
  now,
  query,
  isActive,
  isSelecting,
  title,
  menu,
  isUnread,
}: HistoryRowProps & { title: string; isUnread: boolean }) {
  const { t, i18n } = useTranslation('common')
  const day = dateWords(session.updated_at, now, i18n.language)
  return (
    <div className="pointer-events-none flex items-baseline gap-2 leading-5">
      {isUnread && (
        <span aria-hidden data-unread className="size-2 flex-none self-center rounded-pill bg-accent" />
      )}
      <span
        aria-hidden
        dir="auto"
        className={clsx('min-w-0 flex-1 truncate text-14', isUnread ? 'font-semibold' : 'font-medium')}
      >
        {query ? <Marked parts={markWords(title, query)} /> : title}
      </span>
      <span
        className={clsx(
          'text-12 text-ink-3',
          !isSelecting &&
            'pointer-fine:group-hover/row:hidden group-has-[[data-row-menu]:focus-visible]/row:hidden group-has-[[data-popup-open]]/row:hidden',
        )}
      >
        {'word' in day ? t(`history.${day.word}`) : day.text}
      </span>
      {!isSelecting && (
        <Menu
          align="end"
          entries={menu}
          trigger={
            <IconButton
              data-row-menu
              name={t('history.row_menu', { title })}
              size="xs"
              tabIndex={isActive ? 0 : -1}
              className={clsx(
                'pointer-events-auto z-1 -my-1 -mr-1 self-center hover:enabled:bg-surface-3 data-popup-open:bg-surface-3',
                'pointer-fine:not-focus-visible:not-data-popup-open:not-group-hover/row:sr-only',
              )}
            >
              <Ellipsis aria-hidden className="icon-14" />
            </IconButton>
          }
        />
      )}
    </div>
  )
}

/** Tags shown next to the state; the others are counted. */
const SHOWN_TAGS = 2

function Lines({ session, query, isRenaming }: HistoryRowProps) {
  const { t } = useTranslation('common')
  const passage = query && session.match ? splitMatch(session.match) : []
  // The hit may be the title itself, which is already shown.
  if (passage.length > 0 && passage.map(({ text }) => text).join('') !== session.title)
    return (
      <div className="pointer-events-none">
        <p
          dir="auto"
          className={clsx('mt-0.5 text-13 text-ink-2', session.is_archived ? 'truncate' : 'line-clamp-2')}
        >
          <Marked parts={passage} />
        </p>
        {session.is_archived && (
          <p className="mt-1.5 text-12 text-ink-3">
            <ArchivedMark />
          </p>
        )}
      </div>
    )
  const mark = markOf(session)
  return (
    <div className="pointer-events-none">
      <p dir="auto" className={clsx('h-4.5 truncate text-13 text-ink-2', isRenaming ? 'mt-[7px]' : 'mt-0.5')}>
        {session.preview}
      </p>
      <p className="mt-1.5 flex items-center gap-[5px] text-12 text-ink-3">
        {session.is_archived ? (
          <ArchivedMark />
        ) : (
          <>
            <SessionMarkIcon mark={mark} />
            {t(`history.marks.${mark}`)}
          </>
        )}
        <Tags tags={session.tags} />
      </p>
    </div>
  )
}

function ArchivedMark() {
  const { t } = useTranslation('common')
  return (
    <span className="inline-flex items-center gap-[5px]">
      <Archive aria-hidden className="icon-12" />
      {t('history.archived')}
    </span>
  )
}

function Tags({ tags }: { tags: readonly string[] }) {
  const look = 'max-w-20 truncate rounded-tag bg-surface-3 px-1.5 text-11 leading-4 font-medium text-ink-2'
  const more = tags.length - SHOWN_TAGS
  return (
    <span className="ml-auto flex min-w-0 gap-1">
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <span key={tag} dir="auto" className={look}>
          {tag}
        </span>
      ))}
      {more > 0 && <span className={look}>{`+${more}`}</span>}
    </span>
  )
}

function rowFill({ isSelecting, isSelected, isCurrent, isRenaming }: HistoryRowProps): string {
  if (isSelecting && isSelected) return 'bg-[color-mix(in_oklab,var(--accent-soft)_60%,var(--surface))]'
  return isCurrent || isRenaming ? 'bg-surface-2' : 'hover:bg-surface-2 has-[[data-popup-open]]:bg-surface-2'
}
