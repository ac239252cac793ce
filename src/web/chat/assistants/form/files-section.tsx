import { Upload } from 'lucide-react'
import { useState } from 'react'
import { DocumentSearch } from '../../../knowledge/documents/documents.ts'
import { askForFiles } from '../../../knowledge/uploads/uploads.ts'
import { WorkspaceChoice } from '../../../knowledge/workspaces/workspaces.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { ChosenDocuments } from './chosen-documents.tsx'
import type { SectionProps } from './draft.ts'
import { useAddedUploads } from './use-added-uploads.ts'

const MAX_ITEMS = 1000
const MAX_WORKSPACES = 100

/** The sources of the assistant: documents of the library, each added by hand. */
export function FilesSection({ draft, change }: SectionProps) {
  const { t } = useTranslation('assistant')
  const { documents, workspaces } = draft
  const mayUpload = useIsOpen('uploads')
  const [isSearching, setSearching] = useState(documents.length > 0)
  const add = (ids: string[]) =>
    change({ documents: [...new Set([...documents, ...ids])].slice(0, MAX_ITEMS) })
  const { upload, underWay } = useAddedUploads(add)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-dashed border-line-strong px-4 py-3.5 text-13 text-ink-2">
        <Upload aria-hidden className="icon" />
        <span className="min-w-0 flex-1">
          {underWay > 0 ? t('files.sending', { count: underWay }) : t('files.hint')}
        </span>
        {mayUpload && (
          <Button size="sm" onClick={() => askForFiles(upload)}>
            {t('files.upload')}
          </Button>
        )}
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
      <section className="grid gap-2">
        <h3 className="text-13 font-medium">{t('files.workspaces')}</h3>
        <WorkspaceChoice
          name={t('files.workspaces')}
          ids={workspaces}
          disabled={false}
          onChange={(ids) => change({ workspaces: ids.slice(0, MAX_WORKSPACES) })}
        />
        <p className="text-12 text-ink-3">{t('files.workspaces_hint')}</p>
      </section>
    </>
  )
}
