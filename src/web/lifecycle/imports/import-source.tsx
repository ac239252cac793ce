import clsx from 'clsx'
import { FileArchive, ShieldCheck } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { IMPORT_FILE_HOURS, importFormats } from '#shared/lifecycle/imports/imports.ts'
import { askForFiles, hasFiles } from '../../knowledge/uploads/uploads.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { ImportList } from './import-list.tsx'
import { ProgressBar } from './import-progress.tsx'
import { StepHead } from './import-steps.tsx'
import { type Sent, useSendExport } from './use-imports.ts'

/** The first step: where exports come from, and the field that accepts one. */
export function ImportSource() {
  const { t } = useTranslation('imports')
  const { sent, send, error, cancel } = useSendExport()
  return (
    <>
      <StepHead step="source" title={t('source.title')} text={t('source.intro')} />
      <h3 className="mt-6 mb-2 text-13 font-medium">{t('source.where')}</h3>
      <dl className="grid grid-cols-2 gap-2 max-md:grid-cols-1 lg:grid-cols-3">
        {importFormats.map((format) => (
          <div key={format} className="rounded-card border border-line px-3.5 py-3">
            <dt className="text-13 font-medium">{t(`format.${format}`)}</dt>
            <dd className="mt-0.5 text-12 leading-[17px] text-ink-3">{t(`source.how.${format}`)}</dd>
          </div>
        ))}
      </dl>
      {sent ? <Sending sent={sent} onCancel={cancel} /> : <DropField onFile={send} />}
      {error && (
        <Callout tone="danger" className="mt-4">
          {errorText(t, error)}
        </Callout>
      )}
      <Callout icon={ShieldCheck} className="mt-4">
        {t('source.deleted', { count: IMPORT_FILE_HOURS })}
      </Callout>
      <ImportList />
    </>
  )
}

/** Accepts one file, dropped or chosen. */
function DropField({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation('imports')
  const [isOver, setOver] = useState(false)
  const depth = useRef(0)
  const move = (step: number) => (event: DragEvent) => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    depth.current = Math.max(0, depth.current + step)
    setOver(depth.current > 0)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    depth.current = 0
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onFile(file)
  }
  const choose = () => askForFiles(([found]) => found && onFile(found.file), { isOne: true })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same as dropping.
    <div
      className={clsx(
        'mt-4 flex items-center gap-4 rounded-card border border-dashed px-5 py-5 max-md:flex-col max-md:items-start',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-2',
      )}
      onDragEnter={move(1)}
      onDragLeave={move(-1)}
      onDragOver={move(0)}
      onDrop={drop}
    >
      <span className="inline-grid size-10 flex-none place-items-center rounded-row bg-accent-soft text-accent">
        <FileArchive aria-hidden className="icon" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{t('source.drop')}</p>
        <p className="text-13 text-ink-2">{t('source.kinds')}</p>
      </div>
      <Button variant="primary" onClick={choose}>
        {t('source.choose')}
      </Button>
    </div>
  )
}

function Sending({ sent: { name, size, sent, isLost }, onCancel }: { sent: Sent; onCancel: () => void }) {
  const { t } = useTranslation('imports')
  const state = isLost ? 'source.lost' : 'source.sending'
  return (
    <div className="mt-4 rounded-card border border-line px-5 py-5">
      <div className="flex items-center gap-3">
        <p className="min-w-0 flex-1 truncate font-medium">{name}</p>
        <Button size="sm" onClick={onCancel}>
          {t('common:actions.cancel')}
        </Button>
      </div>
      <p className="num mt-1 mb-3 text-13 text-ink-2" role="status">
        {t(state, { sent: sizeText(t, sent), size: sizeText(t, size) })}
      </p>
      <ProgressBar label={name} value={sent} max={size} />
    </div>
  )
}
