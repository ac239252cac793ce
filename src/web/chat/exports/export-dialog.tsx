import { useMutation } from '@tanstack/react-query'
import clsx from 'clsx'
import { Braces, Download, FileText, FileType, Hash } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Export, type ExportFormat, exportFormats } from '#shared/chat/exports/exports.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox, Radio } from '../../platform/ui/checkbox.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { takeChatOut } from './export-chat.ts'

const icons = { docx: FileType, pdf: FileText, md: Hash, json: Braces }

type ExportDialogProps = { sessionIds: readonly string[]; onClose: () => void }

/** Options for exporting a chat, or several chats as a file each. */
export default function ExportDialog({ sessionIds, onClose }: ExportDialogProps) {
  const { t } = useTranslation('exports')
  const [format, setFormat] = useState<ExportFormat>('docx')
  const [what, setWhat] = useState<'branch' | 'all'>('branch')
  const [parts, setParts] = useState({ footnotes: true, quotes: true, steps: false })
  const making = useMutation({
    mutationFn: async () => {
      const made: Export[] = []
      for (const id of sessionIds) made.push(await takeChatOut(id, { format, what, ...parts }))
      return made
    },
    onSuccess: (made) => {
      const failed = made.find(({ state }) => state === 'failed')
      if (failed) return void toast.error(failed.error ?? t('chat.failed_here'))
      const isReady = made.every(({ state }) => state === 'ready')
      void toast.success(t(isReady ? 'chat.saved' : 'chat.making', { count: made.length }))
      onClose()
    },
  })
  const part = (name: keyof typeof parts, isOff = false) => (
    <Checkbox
      label={t(`chat.${name}`)}
      checked={parts[name] && !isOff}
      disabled={isOff}
      onCheckedChange={(value) => setParts({ ...parts, [name]: value })}
    />
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('chat.title', { count: sessionIds.length })}
      footer={
        <>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button
            variant="primary"
            busy={making.isPending}
            icon={<Download aria-hidden className="icon" />}
            onClick={() => making.mutate()}
          >
            {t('chat.export')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5 pt-2">
        <Group label={t('chat.format')} className="grid grid-cols-2 gap-2">
          {exportFormats.map((value) => (
            <FormatCard
              key={value}
              format={value}
              isOn={value === format}
              onChoose={() => setFormat(value)}
            />
          ))}
        </Group>
        {format === 'pdf' && <p className="-mt-3 text-13 text-ink-2">{t('chat.pdf_note')}</p>}
        <Group label={t('chat.what')} className="flex flex-col gap-2">
          {(['branch', 'all'] as const).map((value) => (
            <label key={value} className="flex items-start gap-2 max-md:min-h-11">
              <Radio
                name="what"
                className="mt-0.5"
                checked={what === value}
                onChange={() => setWhat(value)}
              />
              <span>
                {t(`chat.${value}`)}
                <span className="block text-13 text-ink-3">{t(`chat.${value}_reason`)}</span>
              </span>
            </label>
          ))}
        </Group>
        <Group label={t('chat.with')} className="flex flex-col gap-2">
          {part('footnotes')}
          {part('quotes', !parts.footnotes || format === 'json')}
          {part('steps')}
        </Group>
        {making.isError && <Callout tone="danger">{errorText(t, making.error)}</Callout>}
      </div>
    </Dialog>
  )
}

function Group({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-2 text-13 font-semibold">{label}</legend>
      <div className={className}>{children}</div>
    </fieldset>
  )
}

type FormatCardProps = { format: ExportFormat; isOn: boolean; onChoose: () => void }

function FormatCard({ format, isOn, onChoose }: FormatCardProps) {
  const { t } = useTranslation('exports')
  const Icon = icons[format]
  return (
    <label
      className={clsx(
        'relative flex items-start gap-2 rounded-control border p-3 has-focus-visible:outline-2',
        isOn ? 'border-accent bg-accent-soft' : 'border-line-2',
      )}
    >
      <Icon aria-hidden className="icon mt-0.5" />
      <span>
        <span className="font-medium">{t(`formats.${format}`)}</span>
        <span className="block text-13 text-ink-2">{t(`formats.${format}_reason`)}</span>
      </span>
      <input
        type="radio"
        name="format"
        className="absolute inset-0 m-0 cursor-pointer appearance-none opacity-0"
        checked={isOn}
        onChange={onChoose}
      />
    </label>
  )
}
