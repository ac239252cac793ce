import type { DocumentSource } from '#shared/knowledge/documents/document-source.ts'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { ClassField } from '../../../models/data-classes/data-classes.tsx'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { contentText, failureText } from '../document-words.ts'
import { StateLine } from './document-parts.tsx'
import { languageName } from './filter-choices.ts'
import type { LibraryFilter } from './library-filter.ts'
import './details-dialog.css'
import './filters/filter-chip.css'

type Props = {
  document: Document | null
  onClose: () => void
  /** Narrows the library to what was clicked. */
  onNarrow: (part: Partial<LibraryFilter>) => void
}

/** All details of a document, without opening it. */
export function DetailsDialog({ document, onClose, onNarrow }: Props) {
  const { t } = useTranslation('documents')
  return (
    <Dialog
      open={document !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={document?.name ?? ''}
    >
      {document && (
        <dl className="doc-details">
          <Fact name={t('details.state')}>
            <StateLine document={document} />
          </Fact>
          {document.status === 'failed' && <Fact name={t('details.reason')}>{failureText(t, document)}</Fact>}
          <Fact name={t('details.type')}>{document.normalized_extension.toUpperCase()}</Fact>
          <Fact name={t('details.size')}>{sizeText(t, document.size)}</Fact>
          <Fact name={t('details.content')}>{contentText(t, document)}</Fact>
          <Fact name={t('details.language')}>
            {document.doc_metadata.language && languageName(document.doc_metadata.language)}
          </Fact>
          <Fact name={t('details.added')}>
            {formatDate(document.created_at, { dateStyle: 'long', timeStyle: 'short' })}
          </Fact>
          <Fact name={t('details.pipeline')}>{t(`pipeline.${document.processing_pipeline}`)}</Fact>
          <Fact name={t('details.version')}>{document.version > 1 && String(document.version)}</Fact>
          <Fact name={t('details.tags')}>
            {document.tags.length > 0 && (
              <span className="flex flex-wrap gap-1.5">
                {document.tags.map((tag) => (
                  <button key={tag} type="button" className="chip" onClick={() => onNarrow({ tag })}>
                    {tag}
                  </button>
                ))}
              </span>
            )}
          </Fact>
          {document.source && <SourceDetails source={document.source} onNarrow={onNarrow} />}
        </dl>
      )}
      {document && <ClassField className="mt-4" of={{ kind: 'document', id: document.id }} />}
    </Dialog>
  )
}

/** The facts that the source of a connector gives about a document. */
function SourceDetails({
  source: { connector_name, path, owner, changed_at },
  onNarrow,
}: Pick<Props, 'onNarrow'> & { source: DocumentSource }) {
  const { t } = useTranslation('documents')
  const folder = path.split('/').slice(0, -1).join('/')
  return (
    <>
      <Fact name={t('details.connector')}>{connector_name}</Fact>
      <Fact name={t('details.folder')}>
        {folder && (
          <button type="button" className="chip" onClick={() => onNarrow({ folder })}>
            <span className="truncate">{folder}</span>
          </button>
        )}
      </Fact>
      <Fact name={t('details.owner')}>
        {owner && (
          <button type="button" className="chip" onClick={() => onNarrow({ owner })}>
            <span className="truncate">{owner}</span>
          </button>
        )}
      </Fact>
      <Fact name={t('details.changed')}>
        {changed_at && formatDate(changed_at, { dateStyle: 'long', timeStyle: 'short' })}
      </Fact>
    </>
  )
}

/** A known fact. */
function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  if (!children) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
