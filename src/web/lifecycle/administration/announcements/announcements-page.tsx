import { Megaphone, Pencil, Square } from 'lucide-react'
import { useState } from 'react'
import { ANNOUNCEMENTS_LIMIT, type Announcement } from '#shared/identity/announcements/announcements.ts'
import { formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { currentLanguage, useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { AnnouncementForm } from './announcement-form.tsx'
import { MailProgress } from './mail-progress.tsx'
import { useAnnouncements, useEnd } from './use-announcements.ts'
import './announcements-page.css'

/** Announcement form and the list of planned, active and ended announcements. */
export function AnnouncementsPage() {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  const [page, setPage] = useState(1)
  const [edited, setEdited] = useState<Announcement | null>(null)
  const [written, setWritten] = useState(0)
  const { data, error, isPending, refetch } = useAnnouncements(page)
  const done = () => {
    setEdited(null)
    setWritten(written + 1)
  }
  return (
    <>
      <div className="admin-head">
        <h2>{t('administration.page.announcements')}</h2>
      </div>
      <div className="announcements-page">
        <AnnouncementForm
          key={`${edited?.id} ${written}`}
          {...{ edited, isSuper, canMail: data?.can_mail ?? null }}
          onDone={done}
        />
        <section aria-label={t('announcements.all')} className="min-w-0">
          {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12']} />}
          {error && !data && <ReadFailed error={error} onRetry={refetch} />}
          {data?.items.length === 0 && (
            <EmptyState icon={<Megaphone aria-hidden />} title={t('announcements.none')}>
              {t('announcements.none_hint')}
            </EmptyState>
          )}
          {data && data.items.length > 0 && (
            <ul className="admin-card divide-y divide-line">
              {data.items.map((one) => (
                <Row key={one.id} one={one} onEdit={() => setEdited(one)} />
              ))}
            </ul>
          )}
          {data && (
            <Pages
              page={page}
              limit={ANNOUNCEMENTS_LIMIT}
              shown={data.items.length}
              total={data.total}
              onPage={setPage}
            />
          )}
        </section>
      </div>
    </>
  )
}

function Row({ one, onEdit }: { one: Announcement; onEdit: () => void }) {
  const { t } = useTranslation('admin')
  const ending = useEnd()
  const text = (currentLanguage() === 'fr' ? one.text_fr : one.text_en) ?? one.text_en ?? one.text_fr ?? ''
  const { names, audience } = one
  const times = { dateStyle: 'medium', timeStyle: 'short' } as const
  const to = [
    ...(names.length > 0 ? names : [t('announcements.audience.everybody')]),
    ...audience.roles.map((role) => t(`administration.role.${role}`)),
  ].join(', ')
  const facts = [
    t(`announcements.state.${one.state}`),
    ...(one.tone === 'warning' ? [t('announcements.tone.warning')] : []),
    ...(one.dismissed > 0
      ? [t('announcements.dismissed', { count: one.dismissed, shown: formatNumber(one.dismissed) })]
      : []),
  ].join(' · ')
  return (
    <li className="flex items-start gap-2 px-4 py-3 text-13">
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{text}</span>
        <span className="num block text-12 text-ink-3">
          {formatDate(one.starts_at, times)} – {formatDate(one.ends_at, times)}
        </span>
        <span className="num block text-12 text-ink-3">
          {to} · {facts}
        </span>
        {one.mails && <MailProgress id={one.id} text={text} state={one.state} mails={one.mails} />}
      </span>
      {one.state !== 'ended' && (
        <span className="flex flex-none">
          <IconButton name={t('announcements.change', { text })} size="sm" onClick={onEdit}>
            <Pencil aria-hidden className="icon-14" />
          </IconButton>
          <IconButton
            name={t('announcements.end', { text })}
            size="sm"
            disabled={ending.isPending}
            onClick={() => ending.mutate(one.id)}
          >
            <Square aria-hidden className="icon-14" />
          </IconButton>
        </span>
      )}
    </li>
  )
}
