import type { ApiKey } from '#shared/identity/api-keys/api-keys.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { SecretDialog } from '../../platform/ui/overlays/secret-dialog.tsx'

type MadeKeyProps = { made: ApiKey; secret: string; onClose: () => void }

/** Shows the secret of a new key. */
export function MadeKey({ made, secret, onClose }: MadeKeyProps) {
  const { t } = useTranslation('programs')
  return (
    <SecretDialog
      title={t('keys.made.title')}
      description={t('keys.made.text', { name: made.name })}
      secret={secret}
      names={{ secret: t('keys.made.label'), copy: t('keys.made.copy'), done: t('keys.made.done') }}
      onClose={onClose}
    />
  )
}
