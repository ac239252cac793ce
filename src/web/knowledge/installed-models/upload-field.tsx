import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { uploadModel } from '#shared/knowledge/installed-models/installed-models.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { readModelsAgain } from './use-installed-models.ts'

/** Uploads a GGUF file to the waiting folder of the server. Installing it is a separate step. */
export function UploadField({ onUploaded }: { onUploaded: (folder: string) => void }) {
  const { t } = useTranslation('admin')
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File | null>(null)
  const { run, isPending, error } = useAction(async () => {
    if (!chosen) return
    const form = new FormData()
    form.set('file', chosen)
    const { name } = await call(uploadModel, { params: { modelName: folderOf(chosen.name) }, form })
    await readModelsAgain()
    onUploaded(name)
  })
  return (
    <>
      <div className="grid gap-1.5">
        <input
          ref={input}
          type="file"
          hidden
          accept=".gguf"
          aria-label={t('local.file')}
          disabled={isPending}
          onChange={(event) => setChosen(event.target.files?.[0] ?? null)}
        />
        <div className="flex flex-wrap gap-2">
          <Button
            icon={<FileUp aria-hidden className="icon" />}
            disabled={isPending}
            className="max-w-full"
            onClick={() => input.current?.click()}
          >
            <span className="truncate">{chosen?.name ?? t('local.file')}</span>
          </Button>
          <Button busy={isPending} disabled={!chosen} onClick={() => void run()}>
            {t('local.upload')}
          </Button>
        </div>
        <p role="status" className="text-12 text-ink-3">
          {t(isPending ? 'local.uploading' : 'local.file_hint')}
        </p>
      </div>
      {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
    </>
  )
}

/** Returns a folder name for a file: letters, digits, dots, dashes and underscores. */
function folderOf(file: string): string {
  const plain = file.replace(/\.gguf$/i, '').replace(/[^\w.-]+/g, '-')
  return plain.replace(/^[^a-z0-9]+/i, '').slice(0, 60) || 'model'
}
