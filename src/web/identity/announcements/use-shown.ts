import { useMutation, useQuery } from '@tanstack/react-query'
import {
  dismissAnnouncement,
  listShownAnnouncements,
  type ShownAnnouncement,
} from '#shared/identity/announcements/announcements.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { refetchMe, useMe } from '../../platform/lib/me/me.ts'

const shownKey = ['announcements', 'shown']
type Shown = { items: ShownAnnouncement[] }

/** Returns the current announcements, refetched whenever their number changes; the previous ones while there are none. */
export function useShown(): ShownAnnouncement[] {
  const count = useMe()?.announcements ?? 0
  const { data } = useQuery({
    queryKey: [...shownKey, count],
    queryFn: ({ signal }) => call(listShownAnnouncements, { signal }),
    placeholderData: (before) => before,
    enabled: count > 0,
  })
  return data?.items ?? []
}

/** Dismisses an announcement permanently. */
export function useDismiss(onDone: () => void = () => undefined) {
  return useMutation({
    mutationFn: (announcementId: string) => call(dismissAnnouncement, { params: { announcementId } }),
    onSuccess: (_, id) => {
      queryClient.setQueriesData<Shown>({ queryKey: shownKey }, (shown) => ({
        items: (shown?.items ?? []).filter((item) => item.id !== id),
      }))
      onDone()
    },
    onSettled: refetchMe,
  })
}
