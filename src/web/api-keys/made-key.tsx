import type { ApiKey } from '#shared/api-keys/api-keys.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'

type MadeKeyProps = { made: ApiKey; secret: string; onClose: () => void }

/** The secret of a new key, which nobody is shown again: only the button closes it. */
export function MadeKey({ made, secret, onClose }: MadeKeyProps) {
  const { t } = useTranslation('programs')
  return (
    <Dialog
      open
      size="md"
      dismissible={false}
      onOpenChange={() => undefined}
      title={t('keys.made.title')}
      description={t('keys.made.text', { name: made.name })}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('keys.made.done')}
        </Button>
      }
    >
      <Field label={t('keys.made.label')}>
        <Input
          readOnly
          size="lg"
          value={secret}
          className="font-mono"
          onFocus={({ target }) => target.select()}
          end={<CopyButton name={t('keys.made.copy')} size="sm" read={() => secret} />}
        />
      </Field>
    </Dialog>
  )
}
