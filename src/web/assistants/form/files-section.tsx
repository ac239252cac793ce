import { Upload } from 'lucide-react'
import { useState } from 'react'
import { DocumentSearch } from '../../documents/documents.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { askForFiles } from '../../uploads/uploads.ts'
import { ChosenDocuments } from './chosen-documents.tsx'
import type { SectionProps } from './draft.ts'
import { useAddedUploads } from './use-added-uploads.ts'

const MOST = 1000

/** What the assistant answers from: documents of the library, each added by hand. */
export function FilesSection({ draft, change }: SectionProps) {
  const { t } = useTranslation('assistant')
  const { documents } = draft
  const [isSearching, setSearching] = useState(documents.length > 0)
  const add = (ids: string[]) => change({ documents: [...new Set([...documents, ...ids])].slice(0, MOST) })
  const { upload, underWay } = useAddedUploads(add)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-dashed border-line-strong px-4 py-3.5 text-13 text-ink-2">
        <Upload aria-hidden className="icon" />
        <span className="min-w-0 flex-1">
          {underWay > 0 ? t('files.sending', { count: underWay }) : t('files.hint')}
        </span>
        <Button size="sm" onClick={() => askForFiles(upload)}>
          {t('files.upload')}
        </Button>
        {!isSearching && (
          <Button size="sm" onClick={() => setSearching(true)}>
            {t('files.from_library')}
          </Button>
        )}
      </div>
      {isSearching && <DocumentSearch chosen={documents} onChoose={(id) => add([id])} />}
      <ChosenDocuments
        ids={documents}
        onRemove={(id) => change({ documents: documents.filter((other) => other !== id) })}
      />
    </>
  )
}
