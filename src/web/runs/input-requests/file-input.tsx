import { Mic, Plus, Square, X } from 'lucide-react'
import { useRef } from 'react'
import type { InputField } from '#shared/runs/runs/request.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { useFieldControl } from '../../platform/ui/field.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Textarea } from '../../platform/ui/input.tsx'
import { Spinner } from '../../platform/ui/states/spinner.tsx'
import type { DraftFile } from './answer-draft.ts'
import { canRecord, useRecorder } from './use-recorder.ts'

type FileInputProps = {
  type: InputField['type']
  label: string
  files: readonly DraftFile[]
  onAdd: (files: readonly File[]) => void
  onRemove: (key: string) => void
  onCorrect: (key: string, transcript: string) => void
}

const accepts: Partial<Record<InputField['type'], string>> = {
  ...{ image: 'image/*', audio: 'audio/*', video: 'video/*' },
}

/** Files of an answer: uploaded as soon as they are chosen, dropped here, or recorded. */
export function FileInput({ type, label, files, onAdd, onRemove, onCorrect }: FileInputProps) {
  const { t } = useTranslation('streaming_blocks')
  const picker = useRef<HTMLInputElement>(null)
  const control = useFieldControl()
  const mayUpload = useIsOpen('uploads')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an addition to the button.
    <div
      className="flex flex-wrap items-center gap-2"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (mayUpload) onAdd([...event.dataTransfer.files])
      }}
    >
      {files.map((file) => (
        <FileChip key={file.key} file={file} onRemove={() => onRemove(file.key)} />
      ))}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={accepts[type]}
        aria-label={label}
        onChange={({ currentTarget }) => {
          onAdd([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <Button
        {...control}
        disabled={!mayUpload}
        aria-label={t('input.add_named', { type: t(`input.add.${type}`), name: label })}
        variant="ghost"
        icon={<Plus aria-hidden className="icon-14" />}
        onClick={() => picker.current?.click()}
      >
        {t(`input.add.${type}`)}
      </Button>
      {!mayUpload && <p className="text-12 text-ink-2">{t('common:closed.uploads')}</p>}
      {type === 'audio' && mayUpload && canRecord() && <RecordButton onRecorded={(file) => onAdd([file])} />}
      {files.map(
        ({ key, name, transcript }) =>
          transcript !== undefined && (
            <Textarea
              key={key}
              aria-label={t('input.transcript_of', { name })}
              className="max-h-40 !min-h-14 max-md:text-16"
              value={transcript}
              onChange={(event) => onCorrect(key, event.target.value)}
            />
          ),
      )}
    </div>
  )
}

function RecordButton({ onRecorded }: { onRecorded: (file: File) => void }) {
  const { t } = useTranslation('streaming_blocks')
  const { isRecording, toggle } = useRecorder(onRecorded)
  const Icon = isRecording ? Square : Mic
  return (
    <IconButton
      variant="lined"
      name={t(isRecording ? 'input.stop_recording' : 'input.record')}
      aria-pressed={isRecording}
      data-unsaved={isRecording || undefined}
      onClick={toggle}
    >
      <Icon aria-hidden className={`icon ${isRecording ? 'text-danger' : ''}`} />
    </IconButton>
  )
}

function FileChip({ file, onRemove }: { file: DraftFile; onRemove: () => void }) {
  const { t } = useTranslation('streaming_blocks')
  const extension = /\.(\w{1,4})$/.exec(file.name)?.[1]?.toUpperCase() ?? ''
  return (
    <span className="flex h-11 max-w-62 items-center gap-2.5 rounded-card border border-line-2 bg-raised pr-1.5 pl-1.5">
      <span className="grid size-8 flex-none place-items-center rounded-control bg-surface-2 text-11 font-semibold text-ink-2">
        {file.state === 'uploading' || file.state === 'transcribing' ? (
          <Spinner className="icon-14" />
        ) : (
          extension
        )}
      </span>
      <span className="min-w-0 leading-4">
        <span className="block truncate text-13 font-medium">{file.name}</span>
        <span className={`block truncate text-11 ${file.state === 'failed' ? 'text-danger' : 'text-ink-3'}`}>
          {file.state === 'failed'
            ? file.reason
            : `${writeSize(file.size)} · ${t(`input.file.${file.state}`)}`}
        </span>
      </span>
      <IconButton name={t('input.remove_file', { name: file.name })} size="xs" onClick={onRemove}>
        <X aria-hidden className="icon-14" />
      </IconButton>
    </span>
  )
}

const units = ['byte', 'kilobyte', 'megabyte'] as const

/** Formats a size in the most readable unit. */
export function writeSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2
  const digits = power === 2 ? 1 : 0
  const options = {
    style: 'unit',
    unit: units[power],
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  } as const
  return formatNumber(bytes / 1000 ** power, options)
}
