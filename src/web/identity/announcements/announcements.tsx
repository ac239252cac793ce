import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { AnnouncementRow } from './announcement-row.tsx'
import { useDismiss, useShown } from './use-shown.ts'
import './announcements.css'

/** Announcements above every view: one line, or all of them over the view. Ended ones stay until the next view opens. */
export function AnnouncementStrip({ onGone }: { onGone: () => void }) {
  const { t } = useTranslation('announcements')
  const items = useShown()
  const [isOpen, setOpen] = useState(false)
  const dismiss = useDismiss(() => items.length < 2 && onGone())
  const [first] = items
  if (!first) return null
  return (
    <div className="announcement-strip">
      <ul className="announcement-list" data-open={isOpen || undefined}>
        {(isOpen ? items : [first]).map((item) => (
          <AnnouncementRow
            key={item.id}
            item={item}
            onClose={item.tone === 'news' ? () => dismiss.mutate(item.id) : null}
          />
        ))}
      </ul>
      <IconButton
        name={t('shown.all')}
        size="xs"
        aria-expanded={isOpen}
        on={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronDown aria-hidden className="icon" />
      </IconButton>
    </div>
  )
}

/** Announcements that arrive while a view is open. Overlays the view until the next one makes room for them. */
export function LateAnnouncements() {
  const { t } = useTranslation('announcements')
  const items = useShown()
  const [hidden, setHidden] = useState<readonly string[]>([])
  const dismiss = useDismiss()
  const shown = items.filter(({ id }) => !hidden.includes(id))
  const close = (id: string, isNews: boolean) => {
    setHidden([...hidden, id])
    if (isNews) dismiss.mutate(id)
  }
  return (
    <section aria-label={t('shown.place')} role="status" className="announcements-late">
      <ul>
        {shown.map((item) => (
          <AnnouncementRow key={item.id} item={item} onClose={() => close(item.id, item.tone === 'news')} />
        ))}
      </ul>
    </section>
  )
}
