import type { SharedOnes } from '#shared/lifecycle/erasure/erasure.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Field } from '../../platform/ui/field.tsx'
import { Select } from '../../platform/ui/select.tsx'

type HeirChoiceProps = { shared: SharedOnes; value: string; onChange: (heirId: string) => void }

/** Selects the new owner of assistants that others use. Without one, they are deleted with the account. */
export function HeirChoice({ shared: { assistants, heirs }, value, onChange }: HeirChoiceProps) {
  const { t } = useTranslation('erasure')
  if (assistants === 0) return null
  if (heirs.length === 0) return <p className="text-13">{t('heir.nobody_may', { count: assistants })}</p>
  return (
    <Field label={t('heir.label', { count: assistants })} hint={t('heir.hint')}>
      <Select
        value={value}
        onValueChange={onChange}
        options={[
          { value: '', label: t('heir.nobody') },
          ...heirs.map((heir) => ({
            value: heir.id,
            label: t('heir.one', { name: heir.name, count: heir.assistants, all: assistants }),
          })),
        ]}
      />
    </Field>
  )
}
