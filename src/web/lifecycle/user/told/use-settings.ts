import { useMutation, useQuery } from '@tanstack/react-query'
import {
  changeNotificationSettings,
  getNotificationSettings,
  type NotificationSettings,
  type NotificationSettingsChange,
} from '#shared/lifecycle/notifications/notifications.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { meQuery } from '../../../platform/lib/me/me.ts'

const queryKey = ['notification-settings']

export function useSettings() {
  return useQuery({ queryKey, queryFn: ({ signal }) => call(getNotificationSettings, { signal }) })
}

/** Changes settings immediately, and shows the stored ones again when it fails. */
export function useChangeSettings() {
  const { mutate, isError } = useMutation({
    mutationKey: queryKey,
    mutationFn: (body: NotificationSettingsChange) => call(changeNotificationSettings, { body }),
    // One at a time, so that an older answer never replaces a newer one.
    scope: { id: 'notification-settings' },
    onSettled: async () => {
      if (queryClient.isMutating({ mutationKey: queryKey }) > 1) return
      await queryClient.invalidateQueries({ queryKey })
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    },
  })
  return {
    isError,
    // Shown before its turn comes.
    mutate: (change: NotificationSettingsChange) => {
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<NotificationSettings>(queryKey, (before) => before && apply(before, change))
      mutate(change)
    },
  }
}

/** Returns the settings after a change. */
export function apply(
  settings: NotificationSettings,
  { switches: switched = [], ...change }: NotificationSettingsChange,
): NotificationSettings {
  const switches = structuredClone(settings.switches)
  for (const { kind, channel, is_on } of switched) switches[kind][channel] = is_on
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...settings, ...Object.fromEntries(given), switches }
}
