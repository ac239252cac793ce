import { errorText } from '../../platform/i18n/error-text.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import type { Upload } from './upload.ts'

/** Returns the progress of an upload, or why it ended, in one line. */
export function uploadText(t: TFunction, upload: Upload): string {
  const { state, sent, file } = upload
  const total = sizeText(t, file.size)
  if (state === 'failed') return failureText(t, upload)
  if (state === 'waiting') return t('documents:upload.waiting', { total })
  if (state === 'lost') return t('documents:upload.lost', { percent: percentOf(upload) })
  if (state === 'done') return t('documents:upload.done', { total })
  return t('documents:upload.sending', { sent: sizeText(t, sent), total })
}

/** Returns why a file did not arrive, and what is preserved. */
export function failureText(t: TFunction, upload: Upload): string {
  const { file, error } = upload
  if (file.size === 0) return t('documents:upload.empty')
  switch (error?.code) {
    case 'network':
      return t('documents:upload.cut', { percent: percentOf(upload) })
    case 'too_large':
      return t('documents:upload.too_large', { size: sizeText(t, file.size) })
    case 'quota_exceeded':
    case 'storage_full':
    case 'insufficient_balance':
      return errorText(t, error)
    case 'not_found':
      return t('documents:upload.no_place')
    case 'invalid':
    case 'malformed':
    case 'not_available':
      return t('documents:upload.refused')
    default:
      return errorText(t, error, 'errors.upload_failed')
  }
}

/** Returns the percentage; 100 for an empty file. */
export function percentOf({ sent, file }: Upload): number {
  return file.size === 0 ? 100 : Math.floor((sent / file.size) * 100)
}
