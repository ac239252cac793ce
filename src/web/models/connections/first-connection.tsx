import type { ModelConnection } from '#shared/models/connections/connections.ts'
import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { ConnectionFields } from './connection-fields.tsx'
import { ConnectionKinds } from './connection-kinds.tsx'
import { LoadForms } from './load-forms.tsx'
import { LocalServersOffer } from './local-servers-offer.tsx'
import { TestResult } from './test-result.tsx'
import { useConnectionForm } from './use-connection-form.ts'

/** Connects the first provider outside the connection list: a detected local server, or one the user enters and tests. */
export function FirstConnection({ onConnected }: Wanted) {
  return (
    <>
      <LocalServersOffer />
      <LoadForms>{(forms) => <FirstForm forms={forms} onConnected={onConnected} />}</LoadForms>
    </>
  )
}

type Wanted = { onConnected: (connection: ModelConnection) => void }

function FirstForm({ forms, onConnected }: Wanted & { forms: readonly ProviderForm[] }) {
  const { t } = useTranslation('admin')
  const form = useConnectionForm(forms, null, onConnected)
  const count = form.chosen.size
  return (
    <form
      noValidate
      className="mt-4 grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        form.runTest()
      }}
    >
      <ConnectionKinds form={form} />
      <ConnectionFields form={form} stored={null} />
      <TestResult form={form} canChoose />
      {form.save.isError && (
        <Callout tone="danger" title={t('models.form.failed')}>
          {errorText(t, form.save.error)}
        </Callout>
      )}
      {form.isTested && (
        <Button
          variant="primary"
          className="justify-self-start"
          disabled={count === 0}
          busy={form.save.isPending}
          onClick={form.runSave}
        >
          {t(count > 0 ? 'models.form.connect_models' : 'models.form.connect', { count })}
        </Button>
      )}
    </form>
  )
}
