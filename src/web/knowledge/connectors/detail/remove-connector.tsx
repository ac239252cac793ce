import { useState } from 'react'
import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Radio } from '../../../platform/ui/checkbox.tsx'
import { FormDialog } from '../../../platform/ui/overlays/form-dialog.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useConnectorActions } from '../use-connectors.ts'

type Props = { connector: Connector; onClose: () => void; onRemoved?: () => void }

/** Removes a connector with its documents, or keeps them as private documents of its owner. */
export function RemoveConnector({ connector, onClose, onRemoved }: Props) {
  const { t } = useTranslation('connectors')
  const { id, name, read, rights, owner_name } = connector
  const { removing } = useConnectorActions(id)
  const [documents, setDocuments] = useState<'delete' | 'keep'>('delete')
  const isMirrored = rights === 'mirrored'
  const remove = () =>
    removing.mutate(documents, {
      onSuccess: () => {
        void toast.success(t('remove.done', { name }))
        onClose()
        onRemoved?.()
      },
    })
  const choices = {
    delete: t('remove.delete_text', { count: read, shown: formatNumber(read) }),
    keep: t(isMirrored ? 'remove.keep_mirrored' : 'remove.keep_text', { name: owner_name }),
  }
  return (
    <FormDialog
      title={t('remove.title', { name })}
      description={t('remove.text')}
      send={t('remove.action')}
      busy={removing.isPending}
      onSend={remove}
      onClose={onClose}
    >
      <fieldset aria-label={t('remove.documents')} className="grid gap-2">
        {(['delete', 'keep'] as const).map((one) => (
          <label
            key={one}
            className="flex cursor-pointer items-start gap-3 rounded-card border border-line p-3.5 has-checked:border-accent has-disabled:cursor-default has-disabled:text-ink-3"
          >
            <Radio
              name="documents"
              className="mt-0.5"
              disabled={one === 'keep' && isMirrored}
              checked={documents === one}
              onChange={() => setDocuments(one)}
            />
            <span className="min-w-0">
              <span className="block text-14 font-medium">{t(`remove.${one}`)}</span>
              <span className="block text-13 text-ink-2">{choices[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}
