import { ShieldCheck } from 'lucide-react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { ClassField } from '../../../models/data-classes/data-classes.tsx'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Popover } from '../../../platform/ui/overlays/popover.tsx'

/** Opens the class of data of a document. */
export function ClassChoice({ document }: { document: Document }) {
  const { t } = useTranslation('data_classes')
  return (
    <Popover
      name={t('label')}
      align="start"
      className="w-80"
      trigger={
        <Button size="sm" variant="ghost" icon={<ShieldCheck aria-hidden className="icon" />}>
          {t('label')}
        </Button>
      }
    >
      <ClassField of={{ kind: 'document', id: document.id }} />
    </Popover>
  )
}
