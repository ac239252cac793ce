import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { DocumentRow } from './document-row.tsx'
import { DocumentSearch } from './document-search.tsx'

type DocumentChoiceProps = {
  /** Their purpose. */
  name: string
  ids: readonly string[]
  disabled: boolean
  onChange: (ids: string[]) => void
}

/** Selected documents of the library, by name. */
export function DocumentChoice({ name, ids, disabled, onChange }: DocumentChoiceProps) {
  const { t } = useTranslation('documents')
  const [isOpen, setOpen] = useState(false)
  return (
    <fieldset aria-label={name} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {ids.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line">
          {ids.map((id) => (
            <DocumentRow key={id} id={id}>
              {(document) => (
                <IconButton
                  name={t('choose.remove', { name: document })}
                  disabled={disabled}
                  onClick={() => onChange(ids.filter((other) => other !== id))}
                >
                  <X aria-hidden className="icon" />
                </IconButton>
              )}
            </DocumentRow>
          ))}
        </ul>
      )}
      {isOpen && !disabled ? (
        <DocumentSearch chosen={ids} onChoose={(id) => onChange([...ids, id])} />
      ) : (
        <Button
          className="justify-self-start"
          disabled={disabled}
          icon={<Plus aria-hidden className="icon-14" />}
          onClick={() => setOpen(true)}
        >
          {t('choose.open')}
        </Button>
      )}
    </fieldset>
  )
}
