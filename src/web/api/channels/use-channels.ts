import { useMutation, useQuery } from '@tanstack/react-query'
import * as contract from '#shared/api/channels/channels.ts'
import { listManagedCompanies } from '#shared/identity/administration/administration.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'

const key = ['channels']
const refresh = () => queryClient.invalidateQueries({ queryKey: key })
/** How often the counts of the last day are read again, in milliseconds. */
const REFRESH_MS = 30_000

export function useChannels() {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(contract.listChannels, { signal }),
    refetchInterval: REFRESH_MS,
  })
}

export function useCompanies() {
  return useQuery({
    queryKey: ['managed-companies'],
    queryFn: ({ signal }) => call(listManagedCompanies, { signal }),
  })
}

/** Connects a service, or changes the connection with this id, after the server has tested it. */
export function useSaveChannel(id: string | null, onDone: (saved: contract.Channel) => void) {
  return useMutation({
    mutationFn: (body: contract.ChannelChanges) =>
      id === null
        ? call(contract.createChannel, { body: { ...body, secret: body.secret ?? '' } })
        : call(contract.updateChannel, { params: { channelId: id }, body }),
    onSuccess: onDone,
    onSettled: refresh,
  })
}

/** Asks the service whether it accepts the secrets. */
export function useTestChannel(id: string | null) {
  return useMutation({
    mutationFn: (body: contract.ChannelChanges) =>
      call(contract.testChannel, { body: { ...body, ...(id === null ? {} : { id }) } }),
  })
}

export function useDeleteChannel(onDone: () => void) {
  const { t } = useTranslation('channels')
  return useMutation({
    mutationFn: (channelId: string) => call(contract.deleteChannel, { params: { channelId } }),
    onSuccess: () => {
      toast.success(t('removed'))
      onDone()
    },
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: refresh,
  })
}

/** The channels that the bot is a member of. */
export function useOffered(channelId: string) {
  return useQuery({
    queryKey: ['offered-places', channelId],
    queryFn: ({ signal }) => call(contract.listOfferedPlaces, { params: { channelId }, signal }),
    retry: false,
  })
}

export function useSetPlaces(channelId: string, onDone: () => void) {
  const { t } = useTranslation('channels')
  return useMutation({
    mutationFn: (places: contract.ChannelPlace[]) =>
      call(contract.setChannelPlaces, { params: { channelId }, body: { places } }),
    onSuccess: () => {
      toast.success(t('places.saved'))
      onDone()
    },
    onSettled: refresh,
  })
}
