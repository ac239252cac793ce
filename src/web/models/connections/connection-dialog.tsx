import { useQuery } from '@tanstack/react-query'
import type { ModelConnection } from '#shared/models/connections/connections.ts'
import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { ConnectionFields } from './connection-fields.tsx'
import { ConnectionKinds } from './connection-kinds.tsx'
import { ServerFields } from './fields/server-fields.tsx'
import { KeyList } from './key-list.tsx'
import { LimitFields } from './limit-fields.tsx'
import { LoadForms } from './load-forms.tsx'
import { TestResult } from './test-result.tsx'
import { type ConnectionForm, useConnectionForm } from './use-connection-form.ts'
import { providerForms } from './use-provider-forms.ts'

type ConnectionDialogProps = { stored: ModelConnection | null; onClose: () => void }

/**
 * Connects a provider or server, or edits a connection. A test shows the available models before anything is saved.
 * Only the limits can be edited on a connection set by the environment.
 */
export function ConnectionDialog({ stored, onClose }: ConnectionDialogProps) {
  const { t } = useTranslation('admin')
  const { data: forms } = useQuery(providerForms)
  if (forms) return <FormDialog forms={forms} stored={stored} onClose={onClose} />
  return (
    <Dialog
      open
      atTop
      size="md"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={titleOf(t, stored)}
      footer={<Button onClick={onClose}>{t('models.cancel')}</Button>}
    >
      <LoadForms>{() => null}</LoadForms>
    </Dialog>
  )
}

function FormDialog({ forms, stored, onClose }: ConnectionDialogProps & { forms: readonly ProviderForm[] }) {
  const { t } = useTranslation('admin')
  const form = useConnectionForm(forms, stored, (connection) => {
    toast.success(t(stored ? 'models.form.saved' : 'models.form.connected', { name: connection.name }))
    onClose()
  })
  const isFixed = stored?.source === 'environment'
  return (
    <Dialog
      open
      atTop
      size="md"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={titleOf(t, stored)}
      footer={<Footer form={form} isNew={stored === null} onClose={onClose} />}
    >
      <form
        noValidate
        className="grid gap-4 pt-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (isFixed) form.runSave()
          else form.runTest()
        }}
      >
        {!stored && <ConnectionKinds form={form} />}
        {!isFixed && <ConnectionFields form={form} stored={stored} />}
        {!isFixed && <TestResult form={form} canChoose={stored === null} />}
        {stored && !isFixed && <KeyList form={form} stored={stored} />}
        {stored && <LimitFields form={form} />}
        {(stored || form.draft.form.url === 'required') && <ServerFields form={form} />}
        {form.save.isError && (
          <Callout tone="danger" title={t('models.form.failed')}>
            {errorText(t, form.save.error)}
          </Callout>
        )}
      </form>
    </Dialog>
  )
}

function titleOf(t: TFunction, stored: ModelConnection | null): string {
  if (!stored) return t('admin:models.form.add_title')
  const { name, source } = stored
  return t(source === 'environment' ? 'admin:models.limits.title' : 'admin:models.form.edit_title', { name })
}

function Footer({ form, isNew, onClose }: { form: ConnectionForm; isNew: boolean; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const count = form.chosen.size
  const canChoose = isNew && form.isTested
  return (
    <>
      <span className="mr-auto self-center text-12 text-ink-3">
        {canChoose && t(count > 0 ? 'models.form.everybody' : 'models.form.none_chosen', { count })}
        {isNew && !form.isTested && t('models.form.untested')}
      </span>
      <Button onClick={onClose}>{t('models.cancel')}</Button>
      <Button variant="primary" busy={form.save.isPending} onClick={form.runSave}>
        {isNew
          ? t(canChoose && count > 0 ? 'models.form.connect_models' : 'models.form.connect', { count })
          : t('models.form.save')}
      </Button>
    </>
  )
}
