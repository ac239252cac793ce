import { useState } from 'react'
import type { MailCounts } from '#shared/identity/announcements/announcement-mails.ts'
import type { Announcement } from '#shared/identity/announcements/announcements.ts'
import { formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { countMails } from './count-mails.ts'
import { UndeliveredDialog } from './undelivered-dialog.tsx'

type MailProgressProps = { id: string; text: string; state: Announcement['state']; mails: MailCounts }

/** Progress of the mails of an announcement: how many were sent, why others wait, and which failed. */
export function MailProgress({ id, text, state, mails }: MailProgressProps) {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  const all = countMails(mails)
  const more = (['failed', 'unknown', 'stopped'] as const)
    .filter((name) => mails[name] > 0)
    .map((name) => t(`announcements.mails.${name}`, { count: mails[name], shown: formatNumber(mails[name]) }))
  const progress =
    all > 0
      ? t('announcements.mails.progress', {
          count: all,
          sent: formatNumber(mails.sent),
          all: formatNumber(all),
        })
      : t(`announcements.mails.${state === 'planned' ? 'planned' : 'none'}`)
  return (
    <span className="block text-12 text-ink-3">
      <span className="num flex flex-wrap items-center gap-x-2">
        {[progress, ...more].join(' · ')}
        {mails.failed + mails.unknown > 0 && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={t('announcements.mails.show', { text })}
            onClick={() => setOpen(true)}
          >
            {t('announcements.mails.show_short')}
          </Button>
        )}
      </span>
      {all > 0 && (
        <progress
          aria-label={progress}
          className="announcement-mails"
          value={all - mails.waiting}
          max={all}
        />
      )}
      {mails.problem && (
        <span className="block text-danger">
          {t(`announcements.mails.problem.${mails.problem}`)}{' '}
          {mails.next_at &&
            t('announcements.mails.next', { time: formatDate(mails.next_at, { timeStyle: 'short' }) })}
        </span>
      )}
      {isOpen && <UndeliveredDialog id={id} onClose={() => setOpen(false)} />}
    </span>
  )
}
