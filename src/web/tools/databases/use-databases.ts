import { useMutation, useQuery } from '@tanstack/react-query'
import * as contract from '#shared/tools/databases/databases.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'

const key = ['databases']
const refresh = () => queryClient.invalidateQueries({ queryKey: key })

export function useDatabases() {
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(contract.listDatabases, { signal }) })
}

/** Connects a database, or changes the one with this id, after the server has tested it. */
export function useSaveDatabase(id: string | null, onDone: (saved: contract.Database) => void) {
  return useMutation({
    mutationFn: (body: contract.DatabaseChanges) =>
      id === null
        ? call(contract.createDatabase, { body: { ...body, password: body.password ?? '' } })
        : call(contract.updateDatabase, { params: { databaseId: id }, body }),
    onSuccess: onDone,
    onSettled: refresh,
  })
}

/** Asks the database what the role may do. */
export function useTestDatabase(id: string | null) {
  return useMutation({
    mutationFn: (body: contract.DatabaseChanges) =>
      call(contract.testDatabase, { body: { ...body, ...(id === null ? {} : { id }) } }),
  })
}

export function useDeleteDatabase(onDone: () => void) {
  const { t } = useTranslation('databases')
  return useMutation({
    mutationFn: (databaseId: string) => call(contract.deleteDatabase, { params: { databaseId } }),
    onSuccess: () => {
      toast.success(t('removed'))
      onDone()
    },
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: refresh,
  })
}

/** The tables that the role of a database may read. */
export function useFoundTables(databaseId: string) {
  return useQuery({
    queryKey: ['database-tables', databaseId],
    queryFn: ({ signal }) => call(contract.listDatabaseTables, { params: { databaseId }, signal }),
    retry: false,
  })
}

export function useSetTables(databaseId: string, onDone: () => void) {
  const { t } = useTranslation('databases')
  return useMutation({
    mutationFn: (tables: contract.DatabaseTable[]) =>
      call(contract.setDatabaseTables, { params: { databaseId }, body: { tables } }),
    onSuccess: () => {
      toast.success(t('tables.saved'))
      onDone()
    },
    onSettled: refresh,
  })
}
