import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { providerForms } from './use-provider-forms.ts'

/** Renders a connection form once the kinds of providers are known. */
export function LoadForms({ children }: { children: (forms: readonly ProviderForm[]) => ReactNode }) {
  const { t } = useTranslation('admin')
  const forms = useQuery(providerForms)
  if (forms.data) return children(forms.data)
  if (!forms.isError) return <p className="py-4 text-13 text-ink-3">{t('models.form.loading')}</p>
  return (
    <Callout
      tone="danger"
      title={t('models.form.kinds_failed')}
      action={
        <Button size="sm" onClick={() => void forms.refetch()}>
          {t('models.retry')}
        </Button>
      }
    >
      {errorText(t, forms.error)}
    </Callout>
  )
}
