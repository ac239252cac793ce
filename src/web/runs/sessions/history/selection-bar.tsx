import { Archive, ArchiveRestore, Download, FolderInput, MailOpen, Tag, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'

type SelectionBarProps = {
  count: number
  /** True when the archive is listed, whose chats can be restored. */
  isArchive: boolean
  onArchive: () => void
  onTag: () => void
  /** Null where there are no projects. */
  onPlace: (() => void) | null
  onRead: () => void
  /** Null where the person may not export, or too many chats are selected. */
  onExport: (() => void) | null
  onDelete: () => void
  onCancel: () => void
}

/** Actions on the selected sessions, at the bottom of the list. */
export function SelectionBar({ count, isArchive, ...on }: SelectionBarProps) {
  const { t } = useTranslation('common')
  const button = (name: string, icon: ReactNode, act: (() => void) | null, variant?: 'danger') => (
    <IconButton
      name={name}
      disabled={count === 0 || act === null}
      onClick={() => act?.()}
      {...(variant ? { variant } : {})}
    >
      {icon}
    </IconButton>
  )
  return (
    <div className="flex h-14 flex-none items-center gap-0.5 border-t border-line bg-raised pr-2 pl-4">
      <span className="num min-w-0 flex-1 truncate text-13 font-medium">
        <span role="status" className="max-md:sr-only">
          {t('history.selected', { count })}
        </span>
        <span aria-hidden className="md:hidden">
          {count}
        </span>
      </span>
      {isArchive
        ? button(t('history.restore'), <ArchiveRestore aria-hidden className="icon" />, on.onArchive)
        : button(t('history.archive'), <Archive aria-hidden className="icon" />, on.onArchive)}
      {button(t('history.tags.edit'), <Tag aria-hidden className="icon" />, on.onTag)}
      {on.onPlace && button(t('history.place'), <FolderInput aria-hidden className="icon" />, on.onPlace)}
      {button(t('history.mark_read'), <MailOpen aria-hidden className="icon" />, on.onRead)}
      {button(t('history.export'), <Download aria-hidden className="icon" />, on.onExport)}
      {button(
        t('history.delete_selected', { count }),
        <Trash2 aria-hidden className="icon" />,
        on.onDelete,
        'danger',
      )}
      <IconButton name={t('history.cancel')} onClick={on.onCancel}>
        <X aria-hidden className="icon" />
      </IconButton>
    </div>
  )
}
