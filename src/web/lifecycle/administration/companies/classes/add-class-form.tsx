import { useState } from 'react'
import { MAX_CLASS_NAME } from '#shared/models/data-classes/data-classes.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../../platform/lib/api/api-error.ts'
import { Button } from '../../../../platform/ui/button.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { useAddClass } from './use-classes.ts'

/** Adds the strictest class. */
export function AddClassForm({ companyId }: { companyId: string }) {
  const { t } = useTranslation('admin')
  const [name, setName] = useState('')
  const adding = useAddClass(companyId, () => setName(''))
  const refusal =
    adding.error && (isApiError(adding.error, 409) ? t('classes.refused') : errorText(t, adding.error))
  return (
    <form
      noValidate
      className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '' && !adding.isPending) adding.mutate(name.trim())
      }}
    >
      <Field className="flex-1 basis-56" label={t('classes.new_name')} error={refusal}>
        <Input
          maxLength={MAX_CLASS_NAME}
          placeholder={t('classes.example')}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <Button
        type="submit"
        className="mt-6 max-md:mt-0 max-md:w-full"
        busy={adding.isPending}
        disabled={name.trim() === ''}
      >
        {t('classes.add')}
      </Button>
    </form>
  )
}
