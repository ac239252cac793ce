import { Megaphone, TriangleAlert, X } from 'lucide-react'
import type { ShownAnnouncement } from '#shared/identity/announcements/announcements.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { splitFirst } from './split-first.ts'

type AnnouncementRowProps = { item: ShownAnnouncement; onClose: (() => void) | null }

/** One announcement: plain text with a bold first sentence, a language mark if it differs, and at most one link. */
export function AnnouncementRow({ item, onClose }: AnnouncementRowProps) {
  const { t, i18n } = useTranslation('announcements')
  const { tone, text, language, link } = item
  const [first, rest] = splitFirst(text)
  const Icon = tone === 'news' ? Megaphone : TriangleAlert
  return (
    <li className="announcement" data-tone={tone}>
      <Icon aria-hidden className="icon" />
      <span className="announcement-text">
        <span lang={language}>
          <b className="font-medium">{first}</b> {rest}
        </span>
        {!i18n.language.startsWith(language) && (
          <span className="text-12 text-ink-3"> ({t(`shown.in.${language}`)})</span>
        )}
      </span>
      {link && (
        <a href={link} target="_blank" rel="noopener noreferrer" className="font-medium text-accent">
          {t('shown.more')}
        </a>
      )}
      {onClose && (
        <IconButton
          name={t(tone === 'news' ? 'shown.dismiss' : 'shown.hide', { text: first })}
          size="xs"
          onClick={onClose}
        >
          <X aria-hidden className="icon-14" />
        </IconButton>
      )}
    </li>
  )
}
