import { useTranslation } from '../../platform/i18n/i18n.ts'
import { SecretDialog } from '../../platform/ui/overlays/secret-dialog.tsx'

/** Shows the secret with which a receiver verifies messages. */
export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('programs')
  return (
    <SecretDialog
      title={t('webhooks.secret.title')}
      description={t('webhooks.secret.text')}
      secret={secret}
      names={{
        ...{ secret: t('webhooks.secret.label'), copy: t('webhooks.secret.copy') },
        done: t('keys.made.done'),
      }}
      onClose={onClose}
    />
  )
}
