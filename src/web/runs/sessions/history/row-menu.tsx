import {
  Archive,
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  Mail,
  MailOpen,
  Pencil,
  Pin,
  PinOff,
  Tag,
  Trash2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import type { TFunction } from '../../../platform/i18n/i18n.ts'
import { Kbd } from '../../../platform/ui/kbd.tsx'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'

/** What organizes the chat of a row. */
export type RowActions = {
  onPin: () => void
  onArchive: () => void
  onTag: () => void
  onUnread: () => void
  /** Moves a pin; null at that end of the pins. */
  onUp: (() => void) | null
  onDown: (() => void) | null
}

type Row = {
  session: Session
  isCurrent: boolean
  organize: RowActions
  onRename: () => void
  onDelete: () => void
}

/** Returns the entries of a row's menu. */
export function rowMenu(
  t: TFunction,
  { session, isCurrent, organize, onRename, onDelete }: Row,
): MenuEntry[] {
  const { is_archived, is_unread, pin_position } = session
  const { onUp, onDown } = organize
  return [
    ...(is_archived
      ? []
      : [
          {
            label: t(pin_position === null ? 'history.pin' : 'history.unpin'),
            icon: pin_position === null ? <Pin aria-hidden /> : <PinOff aria-hidden />,
            onSelect: organize.onPin,
          },
        ]),
    ...(onUp ? [move(t('history.pin_up'), <ArrowUp aria-hidden />, '↑', onUp)] : []),
    ...(onDown ? [move(t('history.pin_down'), <ArrowDown aria-hidden />, '↓', onDown)] : []),
    { label: t('history.tags.edit'), icon: <Tag aria-hidden />, onSelect: organize.onTag },
    // The chat on screen is read.
    ...(isCurrent
      ? []
      : [
          {
            label: t(is_unread ? 'history.mark_read' : 'history.mark_unread'),
            icon: is_unread ? <MailOpen aria-hidden /> : <Mail aria-hidden />,
            onSelect: organize.onUnread,
          },
        ]),
    {
      label: t(is_archived ? 'history.restore' : 'history.archive'),
      icon: is_archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />,
      onSelect: organize.onArchive,
    },
    { kind: 'separator' },
    { label: t('history.edit'), icon: <Pencil aria-hidden />, end: <Kbd>F2</Kbd>, onSelect: onRename },
    {
      label: t('history.delete'),
      icon: <Trash2 aria-hidden />,
      end: <Kbd>⌫</Kbd>,
      tone: 'danger',
      onSelect: onDelete,
    },
  ]
}

function move(label: string, icon: ReactNode, key: string, onSelect: () => void): MenuEntry {
  return { label, icon, end: <Kbd>{`Alt ${key}`}</Kbd>, onSelect }
}
