import { createPortal } from 'react-dom'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import '../drop-over.css'

/** Shown over the chat while files are dragged above it. */
export function DropOver() {
  const { t } = useTranslation('documents')
  const view = document.getElementById('main')
  if (!view) return null
  return createPortal(
    <div className="drop-over chat-drop">
      <p className="text-18 font-semibold">{t('drop.chat')}</p>
      <p className="text-ink-2">{t('drop.text')}</p>
    </div>,
    view,
  )
}
