import { useQuery } from '@tanstack/react-query'
import { countShared, ERASURE_HOURS, erasePerson } from '#shared/lifecycle/erasure/erasure.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { ConfirmForm } from './confirm-form.tsx'

type DeletePersonProps = {
  person: { id: string; name: string; email: string }
  onClose: () => void
  onDeleted: () => void
}

/** Deletes another user's account and opens the receipt. */
export function DeletePerson({ person, onClose, onDeleted }: DeletePersonProps) {
  const { t } = useTranslation('erasure')
  const { data, error } = useQuery({
    queryKey: ['erasure', person.id],
    queryFn: ({ signal }) => call(countShared, { params: { userId: person.id }, signal }),
    gcTime: 0,
  })
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('person.title', { name: person.name })}
      description={t('person.reason', { hours: ERASURE_HOURS })}
    >
      <div className="mt-3 grid gap-3.5">
        {data?.is_held && <Callout tone="warning">{t('common:errors.held')}</Callout>}
        {error && <Callout tone="danger">{errorText(t, error)}</Callout>}
        <ConfirmForm
          of="person"
          email={person.email}
          shared={data?.is_held ? undefined : data?.shared}
          onConfirm={(body) => call(erasePerson, { params: { userId: person.id }, body })}
          onBegun={({ token }) => {
            window.open(`/receipt/${token}`, '_blank', 'noopener')
            onDeleted()
          }}
          onCancel={onClose}
        />
      </div>
    </Dialog>
  )
}
