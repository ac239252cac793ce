import { X } from 'lucide-react'
import { DocumentRow } from '../../../knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'

type ChosenDocumentsProps = { ids: readonly string[]; onRemove: (id: string) => void }

/** The documents of the assistant, including deleted ones. */
export function ChosenDocuments({ ids, onRemove }: ChosenDocumentsProps) {
  const { t } = useTranslation(['assistant', 'documents'])
  if (ids.length === 0) return <p className="text-13 text-ink-2">{t('files.none')}</p>
  return (
    <section aria-label={t('files.title')} className="grid gap-2">
      <h3 className="text-13 font-medium">
        {t('files.title')} <span className="num font-regular text-ink-3">{ids.length}</span>
      </h3>
      <ul className="divide-y divide-line rounded-card border border-line">
        {ids.map((id) => (
          <DocumentRow key={id} id={id}>
            {(name) => (
              <IconButton name={t('documents:choose.remove', { name })} onClick={() => onRemove(id)}>
                <X aria-hidden className="icon" />
              </IconButton>
            )}
          </DocumentRow>
        ))}
      </ul>
    </section>
  )
}
