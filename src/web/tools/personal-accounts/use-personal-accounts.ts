import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type AccountKind,
  type CaldavSettings,
  connectCalendar,
  connectMailbox,
  disconnectPersonalAccount,
  type ImapSettings,
  listPersonalAccounts,
  signInPersonalAccount,
} from '#shared/tools/actions/personal-accounts.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

const KEY = ['personal-accounts']

/** Connected accounts decide which tools exist. */
const forget = () =>
  Promise.all([KEY, ['tools']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))

export function usePersonalAccounts() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => call(listPersonalAccounts, { signal }) })
}

export function useConnectMailbox(onDone: () => void) {
  return useMutation({
    mutationFn: (body: ImapSettings) => call(connectMailbox, { body }),
    onSuccess: onDone,
    onSettled: forget,
  })
}

export function useConnectCalendar(onDone: () => void) {
  return useMutation({
    mutationFn: (body: CaldavSettings) => call(connectCalendar, { body }),
    onSuccess: onDone,
    onSettled: forget,
  })
}

/** Sends the browser to the sign-in page of a service. */
export function useSignIn() {
  return useMutation({
    mutationFn: (accountKind: AccountKind) => call(signInPersonalAccount, { params: { accountKind } }),
    onSuccess: ({ url }) => location.assign(url),
  })
}

export function useDisconnect(onDone: () => void) {
  return useMutation({
    mutationFn: (accountKind: AccountKind) => call(disconnectPersonalAccount, { params: { accountKind } }),
    onSuccess: onDone,
    onSettled: forget,
  })
}
