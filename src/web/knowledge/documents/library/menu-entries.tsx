import { CircleSlash, Download, Eye, Maximize2, RotateCcw, Star, Trash2 } from 'lucide-react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import type { TFunction } from '../../../platform/i18n/i18n.ts'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import { cancel, download, retry, setStarred } from '../document-actions.ts'
import { isCancelled } from '../document-words.ts'

type Ways = { inWorkspace: boolean; onOpen: () => void; onDetails: () => void; onDelete: () => void }

/** Returns the menu of a document. */
export function menuEntries(t: TFunction, document: Document, ways: Ways): MenuEntry[] {
  const { status, is_starred } = document
  const text = (key: string) => t(`documents:card.${key}`)
  return [
    { label: text('open_short'), icon: <Eye aria-hidden />, onSelect: ways.onOpen },
    { label: text('expand'), icon: <Maximize2 aria-hidden />, onSelect: ways.onDetails },
    {
      label: text(is_starred ? 'unstar_short' : 'star_short'),
      icon: <Star aria-hidden />,
      onSelect: () => void setStarred(t, document, !is_starred),
    },
    { label: text('download'), icon: <Download aria-hidden />, onSelect: () => void download(t, document) },
    ...(status === 'failed'
      ? [
          {
            label: text(isCancelled(document) ? 'continue_short' : 'retry_short'),
            icon: <RotateCcw aria-hidden />,
            onSelect: () => void retry(t, document),
          },
        ]
      : []),
    ...(status === 'queued' || status === 'in_progress'
      ? [
          {
            label: text('cancel'),
            icon: <CircleSlash aria-hidden />,
            onSelect: () => void cancel(t, document),
          },
        ]
      : []),
    { kind: 'separator' },
    {
      label: text(ways.inWorkspace ? 'remove' : 'delete'),
      icon: <Trash2 aria-hidden />,
      tone: 'danger',
      onSelect: ways.onDelete,
    },
  ]
}
