import { queryOptions, useQuery } from '@tanstack/react-query'
import { listProviderForms, type ProviderForm } from '#shared/models/connections/provider-form.ts'
import { call } from '../../platform/lib/api/call.ts'

/** Query for the kinds of providers. They change with a new version of the server only. */
export const providerForms = queryOptions({
  queryKey: ['provider-forms'],
  queryFn: ({ signal }) => call(listProviderForms, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Returns the form of a kind; undefined while it is not known. */
export function useProviderForm(kind: string): ProviderForm | undefined {
  return useQuery(providerForms).data?.find((form) => form.kind === kind)
}
