import { useMutation, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import * as contract from '#shared/models/data-classes/data-classes.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { Field } from '../../platform/ui/field.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'

type Classified = { kind: 'document' | 'workspace' | 'connector' | 'database'; id: string }
type ClassFieldProps = { of: Classified; className?: string }

/** The class of data of a thing. Shows nothing while the person's companies have no classes. */
export function ClassField({ of, className }: ClassFieldProps) {
  const { t } = useTranslation('data_classes')
  const { data: known } = useOwnClasses()
  const { data: shown } = useQuery({
    queryKey: ['data-classes', of.kind, of.id],
    queryFn: ({ signal }) => readClass(of, signal),
  })
  const setting = useMutation({
    mutationFn: (class_id: string | null) => writeClass(of, class_id),
    onError: (error) => void toast.error(errorText(t, error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['data-classes'] }),
  })
  if (!known || !shown || known.items.length === 0) return null
  const own = known.items.find(({ id }) => id === shown.class_id)
  const isClosed = (one: contract.DataClass) =>
    !shown.can_lower && own !== undefined && one.position < own.position
  const usual = known.items.find(({ is_default }) => is_default)
  const none = of.kind === 'document' && usual ? t('default', { name: usual.name }) : t('none')
  return (
    <Field className={className} label={t('label')} hint={hintOf(t, shown)}>
      <Select
        value={(setting.isPending ? setting.variables : shown.class_id) ?? ''}
        disabled={!shown.can_change}
        options={[
          { value: '', label: none, disabled: own !== undefined && !shown.can_lower },
          ...known.items.map((one) => ({ value: one.id, label: one.name, disabled: isClosed(one) })),
        ]}
        onValueChange={(value) => setting.mutate(value === '' ? null : value)}
      />
    </Field>
  )
}

/** Returns the classes of the person's companies, the most open one first. */
export function useOwnClasses() {
  return useQuery({
    queryKey: ['data-classes', 'own'],
    queryFn: ({ signal }) => call(contract.listOwnClasses, { signal }),
    staleTime: 60_000,
  })
}

function hintOf(
  t: TFunction,
  { effective, inherited_from, words_only, can_lower }: contract.ThingClass,
): string {
  const name = effective?.name ?? ''
  if (words_only) return t('words_only', { model: words_only })
  if (!inherited_from) return can_lower ? t('hint') : `${t('hint')} ${t('lower')}`
  const { kind, name: from } = inherited_from
  return t(kind === 'project' && from === '' ? 'from_hidden_project' : `from_${kind}`, { name, from })
}

function readClass({ kind, id }: Classified, signal: AbortSignal): Promise<contract.ThingClass> {
  switch (kind) {
    case 'document':
      return call(contract.getDocumentClass, { params: { documentId: id }, signal })
    case 'workspace':
      return call(contract.getWorkspaceClass, { params: { workspaceId: id }, signal })
    case 'connector':
      return call(contract.getConnectorClass, { params: { connectorId: id }, signal })
    default:
      return call(contract.getDatabaseClass, { params: { databaseId: id }, signal })
  }
}

function writeClass({ kind, id }: Classified, class_id: string | null): Promise<contract.ThingClass> {
  const body = { class_id }
  switch (kind) {
    case 'document':
      return call(contract.setDocumentClass, { params: { documentId: id }, body })
    case 'workspace':
      return call(contract.setWorkspaceClass, { params: { workspaceId: id }, body })
    case 'connector':
      return call(contract.setConnectorClass, { params: { connectorId: id }, body })
    default:
      return call(contract.setDatabaseClass, { params: { databaseId: id }, body })
  }
}
