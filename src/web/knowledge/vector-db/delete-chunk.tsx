import { useEffect, useRef } from 'react'
import { deleteChunk } from '#shared/knowledge/vector-db/vector-db.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { readAgain } from './use-vector-db.ts'

/** Server errors are shown; a failure without text gets ours. */
const isRefusal = (error: unknown) => isApiError(error) && error.status < 500

/** Duration of the success message. */
const SHOWN_MS = 2_000

type Props = { collection: string; chunkId: string; onClose: () => void }

/** Confirms deleting a chunk, and stays open until the outcome is known. */
export function DeleteChunk({ collection, chunkId, onClose }: Props) {
  const { t } = useTranslation('vectors')
  const safe = useRef<HTMLButtonElement>(null)
  const body = { collection_name: collection, chunk_id: chunkId }
  const { run, isPending, data, error } = useAction(() => call(deleteChunk, { body }))
  const isDone = data !== undefined
  const close = () => {
    onClose()
    if (isDone) void readAgain()
  }
  const leave = useRef(close)
  leave.current = close
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => leave.current(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isDone])
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isPending && close()}
      title={t('delete_chunk.title')}
      description={t('delete_chunk.about')}
      initialFocus={safe}
      footer={
        <>
          <Button ref={safe} disabled={isPending} onClick={close}>
            {t('common:actions.cancel')}
          </Button>
          <Button variant="danger" disabled={isPending || isDone} onClick={() => void run()}>
            {t('delete')}
          </Button>
        </>
      }
    >
      <p className="mt-2 font-mono text-12 break-all text-ink-2">{chunkId}</p>
      <p role={error === null ? 'status' : 'alert'} className="mt-2 min-h-5 text-13">
        {isPending && t('delete_chunk.pending')}
        {isDone && t('delete_chunk.done')}
        {error !== null && (
          <span className="text-danger">
            {t('errors.delete_chunk', {
              message: isRefusal(error) ? errorText(t, error) : t('errors.chunk_default'),
            })}
          </span>
        )}
      </p>
    </Dialog>
  )
}
