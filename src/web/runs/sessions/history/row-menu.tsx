import {
  Archive,
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  FolderInput,
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
import { keysOf } from '../../../platform/lib/me/shortcuts.ts'
import { Kbd, shortcutLabel } from '../../../platform/ui/kbd.tsx'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import { type Marking, pinOrder } from '../marking.ts'

/** Runs an action that organizes chats; its code is loaded then. */
export type Mark = (act: (marking: Marking) => unknown) => void

type Row = {
  session: Session
  isCurrent: boolean
  mark: Mark
  onTag: () => void
  /** Moves it into a project, or out of one; null where there are none. */
  onPlace: (() => void) | null
  /** Moves the focus along with a pin. */
  onShift: (by: -1 | 1) => void
  onRename: () => void
  onDelete: () => void
}

/** Returns the entries of a row's menu. */
export function rowMenu(t: TFunction, { session, isCurrent, mark, ...on }: Row): MenuEntry[] {
  const { is_archived, is_unread, pin_position } = session
  const pins = pin_position === null ? [] : pinOrder()
  const at = pins.indexOf(session.id)
  return [
    ...(is_archived
      ? []
      : [
          {
            label: t(pin_position === null ? 'history.pin' : 'history.unpin'),
            icon: pin_position === null ? <Pin aria-hidden /> : <PinOff aria-hidden />,
            onSelect: () => mark((marking) => marking[pin_position === null ? 'pin' : 'unpin']([session])),
          },
        ]),
    ...(at > 0 ? [move(t('history.pin_up'), <ArrowUp aria-hidden />, 'pin_up', () => on.onShift(-1))] : []),
    ...(at >= 0 && at < pins.length - 1
      ? [move(t('history.pin_down'), <ArrowDown aria-hidden />, 'pin_down', () => on.onShift(1))]
      : []),
    { label: t('history.tags.edit'), icon: <Tag aria-hidden />, onSelect: on.onTag },
    ...(on.onPlace
      ? [{ label: t('history.place'), icon: <FolderInput aria-hidden />, onSelect: on.onPlace }]
      : []),
    // The chat on screen is read.
    ...(isCurrent
      ? []
      : [
          {
            label: t(is_unread ? 'history.mark_read' : 'history.mark_unread'),
            icon: is_unread ? <MailOpen aria-hidden /> : <Mail aria-hidden />,
            onSelect: () => mark((marking) => marking[is_unread ? 'read' : 'unread']([session])),
          },
        ]),
    {
      label: t(is_archived ? 'history.restore' : 'history.archive'),
      icon: is_archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />,
      onSelect: () => mark((marking) => marking[is_archived ? 'restore' : 'archive']([session])),
    },
    { kind: 'separator' },
    {
      label: t('history.edit'),
      icon: <Pencil aria-hidden />,
      end: <Kbd>{shortcutLabel(keysOf('rename'))}</Kbd>,
      onSelect: on.onRename,
    },
    {
      label: t('history.delete'),
      icon: <Trash2 aria-hidden />,
      end: <Kbd>{shortcutLabel(keysOf('remove'))}</Kbd>,
      tone: 'danger',
      onSelect: on.onDelete,
    },
  ]
}

function move(
  label: string,
  icon: ReactNode,
  action: 'pin_up' | 'pin_down',
  onSelect: () => void,
): MenuEntry {
  return { label, icon, end: <Kbd>{shortcutLabel(keysOf(action))}</Kbd>, onSelect }
}
