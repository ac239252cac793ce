import type { StoredProvider } from '#shared/identity/accounts/sign-on-providers.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { useRemoveProvider } from './use-providers.ts'

/** Asks before a provider goes, and says how many people lose it as a way in. */
export function RemoveProvider({ provider, onClose }: { provider: StoredProvider; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const removing = useRemoveProvider(onClose)
  const { id, name, people, people_without_other: alone } = provider
  const sentences = [
    people === 0
      ? t('administration.sign_on.loses_none')
      : t('administration.sign_on.loses', { count: people, people: formatNumber(people) }),
    alone > 0 && t('administration.sign_on.loses_alone', { count: alone, people: formatNumber(alone) }),
  ]
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t('administration.sign_on.remove_title', { name })}
      message={sentences.filter(Boolean).join(' ')}
      confirmLabel={t('administration.sign_on.remove')}
      busy={removing.isPending}
      onConfirm={() => removing.mutate({ id, people })}
    />
  )
}
