import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import type { BulkResult } from './use-bulk.ts'

/** Names those a change failed for, with the reason. */
export function BulkFailures({ result, onClose }: { result: BulkResult; onClose: () => void }) {
  const { t } = useTranslation('admin')
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('administration.bulk.failed', { count: result.failed.length })}
      description={t('administration.bulk.others_done', { count: result.done })}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      }
    >
      <ul className="grid max-h-72 gap-2 overflow-y-auto pt-3 text-13">
        {result.failed.map(({ name, reason }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <li key={n}>
            <span className="font-medium">{name}</span>
            <span className="block text-ink-2">{reason}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
