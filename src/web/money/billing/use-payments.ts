import { useMutation, useQuery } from '@tanstack/react-query'
import { listPayments, startPayment } from '#shared/money/payments/payments.ts'
import { call } from '../../platform/lib/api/call.ts'
import { pollEvery } from '../../platform/lib/api/query-client.ts'

/** Returns a page of the user's card payments, and whether card payment is available. */
export function usePayments(page = 1) {
  return useQuery({
    queryKey: ['payments', page],
    queryFn: ({ signal }) => call(listPayments, { query: { page: String(page) }, signal }),
    placeholderData: (before) => before,
    refetchInterval: () => pollEvery(15_000),
  })
}

/** Starts a payment and redirects to checkout. */
export function useStartPayment() {
  return useMutation({
    mutationFn: (amount: number) => call(startPayment, { body: { amount } }),
    onSuccess: ({ url }) => location.assign(url),
  })
}
