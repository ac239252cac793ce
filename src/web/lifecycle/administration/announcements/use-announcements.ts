import { useMutation, useQuery } from '@tanstack/react-query'
import { listUndelivered } from '#shared/identity/announcements/announcement-mails.ts'
import {
  type Announcement,
  type AnnouncementWish,
  changeAnnouncement,
  createAnnouncement,
  endAnnouncement,
  listAnnouncements,
} from '#shared/identity/announcements/announcements.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { refetchMe } from '../../../platform/lib/me/me.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { countMails } from './count-mails.ts'

const MAIL_POLL_MS = 5_000
const listKey = ['managed-announcements']

/** Returns a page of announcements. The previous page stays visible while the next one loads. */
export function useAnnouncements(page: number) {
  return useQuery({
    queryKey: [...listKey, page],
    queryFn: ({ signal }) => call(listAnnouncements, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data?.items.some(isBeingMailed) ? MAIL_POLL_MS : false),
  })
}

const isBeingMailed = ({ mails, state }: Announcement) =>
  mails !== null && state === 'running' && (mails.waiting > 0 || countMails(mails) === 0)

/** Returns a page of the mails of an announcement that failed or are uncertain. */
export function useUndelivered(announcementId: string, page: number) {
  return useQuery({
    queryKey: [...listKey, 'undelivered', announcementId, page],
    queryFn: ({ signal }) =>
      call(listUndelivered, { params: { announcementId }, query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
  })
}

/** Publishes an announcement; creates a new one when the id is null. */
export function usePublish(id: string | null, onDone: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (body: AnnouncementWish) =>
      id === null
        ? call(createAnnouncement, { body })
        : call(changeAnnouncement, { params: { announcementId: id }, body }),
    onSuccess: () => {
      toast.success(t('announcements.published'))
      onDone()
    },
    onSettled: readAgain,
  })
}

export function useEnd() {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (announcementId: string) => call(endAnnouncement, { params: { announcementId } }),
    onSuccess: () => toast.success(t('announcements.ended')),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: readAgain,
  })
}

async function readAgain(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: listKey }), refetchMe()])
}
