import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { SecretDialog } from '../../../../platform/ui/overlays/secret-dialog.tsx'

/** Shows the secret with which the receiver verifies signatures. */
export function StreamSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('admin')
  return (
    <SecretDialog
      title={t('audit.stream.secret_title')}
      description={t('audit.stream.secret_text')}
      secret={secret}
      names={{
        ...{ secret: t('audit.stream.secret_label'), copy: t('audit.stream.secret_copy') },
        done: t('audit.stream.secret_done'),
      }}
      onClose={onClose}
    />
  )
}
