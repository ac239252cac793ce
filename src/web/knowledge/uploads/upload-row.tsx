import { RotateCcw, X } from 'lucide-react'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { FileTile, FillBar } from '../../platform/ui/files/file-tile.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { cancelFile, mayRetry, retryFile } from './queue.ts'
import type { Upload } from './upload.ts'
import { percentOf, uploadText } from './upload-words.ts'

/** An upload: its progress, with buttons to cancel or retry it. */
export function UploadRow({ upload }: { upload: Upload }) {
  const { t } = useTranslation('documents')
  const { id, file, state } = upload
  const isMoving = state === 'sending' || state === 'lost'
  return (
    <li className="uploads-row">
      <FileTile extension={extensionOf(file.name)} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{file.name}</p>
        <p className={`truncate text-12 ${state === 'failed' ? 'text-danger' : 'num text-ink-2'}`}>
          {uploadText(t, upload)}
        </p>
        {isMoving && (
          <div
            role="progressbar"
            aria-label={file.name}
            aria-valuenow={percentOf(upload)}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <FillBar value={percentOf(upload)} className="mt-1" />
          </div>
        )}
      </div>
      {mayRetry(upload) && (
        <IconButton name={t('upload.retry', { name: file.name })} size="sm" onClick={() => retryFile(id)}>
          <RotateCcw aria-hidden className="icon-14" />
        </IconButton>
      )}
      <IconButton
        name={t(state === 'failed' ? 'upload.dismiss' : 'upload.cancel', { name: file.name })}
        size="sm"
        onClick={() => cancelFile(id)}
      >
        <X aria-hidden className="icon-14" />
      </IconButton>
    </li>
  )
}
