import { ChevronRight } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { DocumentLink } from '../../web/platform/citations/citations.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { FileTile } from '../../web/platform/ui/files/file-tile.tsx'
import { Textarea } from '../../web/platform/ui/input.tsx'
import type { UploadedFile } from './read-work.ts'

/** Delay before the request collapses once there is a plan (ledger CI-04). */
const FOLDS_AFTER_MS = 500

type IntentsProps = {
  request: string
  context: string
  files: readonly UploadedFile[]
  isRunning: boolean
  hasPlan: boolean
}

/** Shows the request, its context and the files, read-only. Expanded while the plan is made. */
export function Intents({ request, context, files, isRunning, hasPlan }: IntentsProps) {
  const { t } = useTranslation('tool_ui')
  const id = useId()
  const [isOpen, setOpen] = useState(isRunning && !hasPlan)
  const [wasRunning, setWasRunning] = useState(isRunning)
  if (isRunning !== wasRunning) {
    setWasRunning(isRunning)
    if (isRunning && !hasPlan) setOpen(true)
  }
  useEffect(() => {
    if (!isRunning || !hasPlan) return
    const timer = setTimeout(() => setOpen(false), FOLDS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isRunning, hasPlan])
  const parts = [
    t('code_interpreter.inputs.request.name'),
    ...(context === '' ? [] : [t('code_interpreter.inputs.context.name')]),
    ...(files.length === 0 ? [] : [t('code_interpreter.files', { count: files.length })]),
  ]
  return (
    <section className="grid min-w-0 gap-2">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-7 items-center gap-2 rounded-control text-left text-13 max-md:min-h-11"
      >
        <ChevronRight aria-hidden className={`icon flex-none text-ink-3 ${isOpen ? 'rotate-90' : ''}`} />
        <span className="font-medium">{t('code_interpreter.intents')}</span>
        <span className="min-w-0 truncate text-12 text-ink-2">{parts.join(', ')}</span>
      </button>
      <div id={id} hidden={!isOpen} className="max-h-[500px] overflow-y-auto">
        <div className="grid gap-2">
          <Textarea
            readOnly
            value={request}
            rows={3}
            aria-label={t('code_interpreter.inputs.request.name')}
          />
          {context !== '' && (
            <Textarea
              readOnly
              value={context}
              rows={2}
              aria-label={t('code_interpreter.inputs.context.name')}
            />
          )}
          {files.length > 0 && (
            <ul aria-label={t('code_interpreter.uploaded')} className="flex flex-wrap gap-2">
              {files.map((file) => (
                <li key={file.id}>
                  <DocumentLink
                    documentId={file.id}
                    className="flex max-w-60 items-center gap-2 rounded-row border border-line px-2 py-1.5 text-12 hover:bg-surface-2"
                  >
                    <FileTile extension={extensionOf(file.name)} size="sm" />
                    <span className="truncate">{file.name}</span>
                  </DocumentLink>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </section>
  )
}
