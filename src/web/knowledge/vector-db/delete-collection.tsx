import { deleteCollection, deleteObjects } from '#shared/knowledge/vector-db/vector-db.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { readAgain } from './use-vector-db.ts'

type Props = { name: string; onClose: () => void }

/** Confirms deleting a collection. */
export function DeleteCollection({ name, onClose }: Props) {
  const { t } = useTranslation('vectors')
  return (
    <Ask
      title={t('delete_collection.title', { name })}
      about={t('delete_collection.about')}
      failureText={(message) => t('errors.delete_collection', { message })}
      act={() => call(deleteCollection, { params: { collection: name }, query: { confirm: 'true' } })}
      onClose={onClose}
    />
  )
}

/** Confirms deleting every object of a collection. */
export function DeleteAllObjects({ name, onClose }: Props) {
  const { t } = useTranslation('vectors')
  return (
    <Ask
      title={t('delete_objects.title', { name })}
      about={t('delete_objects.about')}
      failureText={(message) => t('errors.delete_objects', { message })}
      act={() => call(deleteObjects, { body: { collection_name: name, all_objects: true } })}
      onClose={onClose}
    />
  )
}

type AskProps = {
  title: string
  about: string
  failureText: (message: string) => string
  act: () => Promise<unknown>
  onClose: () => void
}

function Ask({ title, about, failureText, act, onClose }: AskProps) {
  const { t } = useTranslation('vectors')
  const { run, isPending, error } = useAction(act, () => {
    void readAgain()
    onClose()
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && !isPending && onClose()}
      title={title}
      message={
        <>
          {about}
          {error !== null && (
            <span role="alert" className="mt-2 block text-danger">
              {failureText(errorText(t, error))}
            </span>
          )}
        </>
      }
      confirmLabel={t('delete')}
      busy={isPending}
      onConfirm={() => void run()}
    />
  )
}
