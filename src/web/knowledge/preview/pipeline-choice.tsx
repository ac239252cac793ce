import { ChevronDown, Workflow } from 'lucide-react'
import { type Document, Pipeline, reprocessDocument } from '#shared/knowledge/documents/documents.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { isOver, readDocumentAgain } from './use-document.ts'

/** The pipeline of a document; after processing it can be changed. */
export function PipelineChoice({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const name = t(`pipeline.${document.processing_pipeline}`)
  if (!isOver(document)) return <Badge tone="line">{name}</Badge>
  const choose = async (pipeline: Pipeline) => {
    try {
      await call(reprocessDocument, { params: { documentId: document.id }, body: { pipeline } })
      void toast.success(t('preview.reprocessing'))
    } catch (error) {
      void toast.error(errorText(t, error))
    }
    await readDocumentAgain(document.id)
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button
          size="sm"
          icon={<Workflow aria-hidden className="icon" />}
          aria-label={t('preview.pipeline', { name })}
        >
          <span className="max-md:sr-only">{name}</span>
          <ChevronDown aria-hidden className="icon" />
        </Button>
      }
      entries={Pipeline.options.map((pipeline) => ({
        key: pipeline,
        label: t(`pipeline.${pipeline}`),
        checked: pipeline === document.processing_pipeline,
        onSelect: () => void choose(pipeline),
      }))}
    />
  )
}
