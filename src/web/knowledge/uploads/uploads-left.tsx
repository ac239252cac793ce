import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { type Upload as BegunUpload, cancelUpload, listUploads } from '#shared/knowledge/documents/uploads.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { FileTile } from '../../platform/ui/files/file-tile.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { askForFiles } from './dropped-files.ts'
import { withoutHeld } from './held-uploads.ts'
import { continueUpload, useUploads } from './queue.ts'
import './uploads.css'

/** Large files whose upload was interrupted; they resume when selected again. */
export function UploadsLeft() {
  const { t } = useTranslation('documents')
  const { items } = useUploads()
  const { data = [], refetch } = useQuery({
    queryKey: ['documents', 'uploads'],
    queryFn: async ({ signal }) => withoutHeld((await call(listUploads, { signal })).items),
  })
  const left = data.filter(({ id }) => !items.some(({ begun }) => begun === id))
  if (left.length === 0) return null
  const discard = async ({ id }: BegunUpload) => {
    try {
      await call(cancelUpload, { params: { uploadId: id } })
    } catch (error) {
      void toast.error(errorText(t, error))
    }
    void refetch()
  }
  return (
    <section aria-label={t('upload.left')} className="uploads-left">
      <h2 className="text-13 font-semibold">{t('upload.left')}</h2>
      <p className="text-12 text-ink-2">{t('upload.left_about')}</p>
      <ul>
        {left.map((upload) => (
          <Left key={upload.id} upload={upload} onDiscard={() => void discard(upload)} />
        ))}
      </ul>
    </section>
  )
}

function Left({ upload, onDiscard }: { upload: BegunUpload; onDiscard: () => void }) {
  const { t } = useTranslation('documents')
  const [isOther, setOther] = useState(false)
  const { name, size, received } = upload
  const ask = () =>
    askForFiles(([chosen]) => {
      const isSame = chosen?.file.name === name && chosen.file.size === size
      setOther(!isSame)
      if (isSame) continueUpload(upload, chosen.file)
    })
  const total = sizeText(t, size)
  return (
    <li className="uploads-row">
      <FileTile extension={extensionOf(name)} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p role="status" className={`text-12 ${isOther ? 'text-danger' : 'num text-ink-2'}`}>
          {isOther
            ? t('upload.other_file', { name, total })
            : t('upload.left_at', { percent: Math.floor((received / size) * 100), total })}
        </p>
      </div>
      <Button size="sm" aria-label={t('upload.choose_again', { name })} onClick={ask}>
        {t('upload.choose_again_short')}
      </Button>
      <IconButton name={t('upload.discard', { name })} size="sm" onClick={onDiscard}>
        <X aria-hidden className="icon-14" />
      </IconButton>
    </li>
  )
}
