import { useState } from 'react'
import { type Document, reprocessDocument } from '#shared/knowledge/documents/documents.ts'
import { TextEncoding } from '#shared/knowledge/documents/encodings.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { readDocumentAgain } from '../use-document.ts'

/** Reads a text again in another encoding than the one it was read in. */
export function EncodingChoice({
  document: { id, processing_pipeline },
  current,
  onRead,
}: {
  document: Document
  current: string
  onRead: () => void
}) {
  const { t } = useTranslation('documents')
  const [chosen, setChosen] = useState(current)
  const readAgain = async () => {
    try {
      const body = { pipeline: processing_pipeline, encoding: TextEncoding.parse(chosen) }
      await call(reprocessDocument, { params: { documentId: id }, body })
      void toast.success(t('preview.reprocessing'))
      onRead()
    } catch (error) {
      void toast.error(errorText(t, error))
    }
    await readDocumentAgain(id)
  }
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <Select
        size="sm"
        aria-label={t('encoding.choose')}
        value={chosen}
        onValueChange={setChosen}
        options={TextEncoding.options.map((value) => ({ value, label: t(`encoding.names.${value}`) }))}
      />
      <Button size="sm" disabled={chosen === current} onClick={() => void readAgain()}>
        {t('encoding.read_again')}
      </Button>
    </div>
  )
}
