import { CornerDownRight } from 'lucide-react'
import { createPortal } from 'react-dom'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { keysOf } from '../../platform/lib/me/shortcuts.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'
import { Kbd, shortcutLabel } from '../../platform/ui/kbd.tsx'
import type { MapRow } from './map-layout.ts'

const widthPx = 372

/** Preview of a row's message next to the map. Hidden without space. */
export function MapPreview({ row, id, beside }: { row: MapRow; id: string; beside: DOMRect }) {
  const { t } = useTranslation('streaming_blocks')
  const left = beside.left - widthPx - 16
  if (left < 8) return null
  const { message } = row
  const isYours = message.role === 'user'
  return createPortal(
    <div
      id={id}
      role="tooltip"
      style={{ left, width: widthPx, top: Math.min(beside.top, innerHeight - 190) }}
      className="pointer-events-none fixed z-(--z-popover) rounded-card bg-raised px-4 py-3.5 text-13 leading-5 shadow-float"
    >
      <p className="mb-1.5 flex gap-2 text-12 text-ink-3">
        <span className="font-medium text-ink-2">{t(isYours ? 'branch.you' : 'branch.reply')}</span>
        <span className="min-w-0 flex-1 truncate">
          {message.model_name && modelLabel(message.model_name, t)}
        </span>
        <time className="num">
          {formatDate(message.created_at, { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
      </p>
      <p dir="auto" className="line-clamp-5 wrap-anywhere">
        {message.text || t('branch.no_text')}
      </p>
      <p className="mt-2.5 flex items-center gap-1.5 border-t border-line pt-2.5 text-12 text-ink-3">
        {row.following > 0 && (
          <>
            <CornerDownRight aria-hidden className="icon-12" />
            {t('branch.follow', { count: row.following })}
          </>
        )}
        <span className="flex-1" />
        <span className="font-medium text-accent">{t('branch.go_there')}</span>
        <Kbd>{shortcutLabel(keysOf('open_message'))}</Kbd>
      </p>
    </div>,
    document.body,
  )
}
