import { useMutation, useQuery } from '@tanstack/react-query'
import {
  addClass,
  changeClass,
  listClasses,
  removeClass,
  setReceiver,
} from '#shared/models/data-classes/data-classes.ts'
import { call } from '../../../../platform/lib/api/call.ts'
import { queryClient } from '../../../../platform/lib/api/query-client.ts'

const keyOf = (companyId: string) => ['data-classes', companyId]

/** Returns the classes of a company, and what each provider may receive. */
export function useClasses(companyId: string) {
  return useQuery({
    queryKey: keyOf(companyId),
    queryFn: ({ signal }) => call(listClasses, { params: { companyId }, signal }),
  })
}

const readAgain = () => queryClient.invalidateQueries({ queryKey: ['data-classes'] })

export function useAddClass(companyId: string, onDone: () => void) {
  return useMutation({
    mutationFn: (name: string) => call(addClass, { params: { companyId }, body: { name } }),
    onSuccess: onDone,
    onSettled: readAgain,
  })
}

export type ClassChange = { id: string; name?: string; position?: number; is_default?: true }

export function useChangeClass(companyId: string) {
  return useMutation({
    mutationFn: ({ id, ...body }: ClassChange) =>
      call(changeClass, { params: { companyId, classId: id }, body }),
    onSettled: readAgain,
  })
}

export function useRemoveClass(companyId: string) {
  return useMutation({
    mutationFn: (id: string) => call(removeClass, { params: { companyId, classId: id } }),
    onSettled: readAgain,
  })
}

export function useSetReceiver(companyId: string) {
  return useMutation({
    mutationFn: ({ receiver, classes }: { receiver: string; classes: string[] | null }) =>
      call(setReceiver, { params: { companyId, receiver }, body: { classes } }),
    onSettled: readAgain,
  })
}
