import { useNavigate } from '@tanstack/react-router'
import { Cable, File, Folder, Upload } from 'lucide-react'
import { Pipeline } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useIsOpen, useMe } from '../../../platform/lib/me/me.ts'
import { isAdmin } from '../../../platform/lib/me/roles.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'

type Props = {
  pipeline: Pipeline
  setPipeline: (pipeline: Pipeline) => void
  askFiles: () => void
  askFolder: () => void
}

/** Uploads files or a folder with a pipeline, or leads to the sources that documents come from. */
export function UploadButton({ pipeline, setPipeline, askFiles, askFolder }: Props) {
  const { t } = useTranslation('documents')
  const navigate = useNavigate()
  const [isOpen, me] = [useIsOpen('connectors'), useMe()]
  const connect = {
    label: t('upload.connect'),
    icon: <Cable aria-hidden />,
    onSelect: () => void navigate({ to: '/documents/connectors' as '/documents' }),
  }
  return (
    <Menu
      align="end"
      className="w-[300px] max-w-[calc(100vw-2rem)]"
      trigger={
        <Button
          variant="primary"
          data-tour="upload"
          aria-label={t('upload.button')}
          icon={<Upload aria-hidden className="icon" />}
        >
          <span className="max-md:sr-only">{t('upload.button')}</span>
        </Button>
      }
      entries={[
        { label: t('upload.files'), icon: <File aria-hidden />, onSelect: askFiles },
        { label: t('upload.folder'), icon: <Folder aria-hidden />, onSelect: askFolder },
        ...(isOpen || isAdmin(me) ? [connect] : []),
        { kind: 'separator' },
        { kind: 'heading', label: t('pipeline.choose') },
        ...Pipeline.options.map((option) => ({
          key: option,
          checked: option === pipeline,
          label: (
            <span className="block py-[5px] whitespace-normal">
              <span className="block leading-[18px] font-medium">{t(`pipeline.${option}`)}</span>
              <span className="block text-12 leading-4 text-ink-2">{t(`pipeline.${option}_note`)}</span>
            </span>
          ),
          onSelect: () => setPipeline(option),
        })),
      ]}
    />
  )
}
