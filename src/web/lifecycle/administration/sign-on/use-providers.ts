import { useMutation, useQuery } from '@tanstack/react-query'
import {
  changeSigningKey,
  listProviders,
  removeProvider,
  saveProvider,
  testProvider,
} from '#shared/identity/accounts/sign-on-providers.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { bodyOf, type Draft } from './provider-draft.ts'

const key = ['sign-on-providers']
const refresh = () => queryClient.invalidateQueries({ queryKey: key })

export function useProviders() {
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(listProviders, { signal }) })
}

/** Saves a provider. The form shows a failure. */
export function useSaveProvider(id: string, onSaved: () => void) {
  return useMutation({
    mutationFn: (draft: Draft) => call(saveProvider, { params: { providerId: id }, body: bodyOf(draft) }),
    onSuccess: async () => {
      await refresh()
      onSaved()
    },
  })
}

export function useTestProvider(id: string) {
  return useMutation({
    mutationFn: (draft: Draft) => call(testProvider, { params: { providerId: id }, body: bodyOf(draft) }),
  })
}

/** Removes a provider. A failure may mean that more people use it by now, so the list is read again. */
export function useRemoveProvider(onDone: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: ({ id, people }: { id: string; people: number }) =>
      call(removeProvider, { params: { providerId: id }, query: { people: String(people) } }),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: async () => {
      await refresh()
      onDone()
    },
  })
}

export function useChangeSigningKey() {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: (action: 'prepare' | 'switch') => call(changeSigningKey, { body: { action } }),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: refresh,
  })
}
