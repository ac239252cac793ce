import { useState } from 'react'
import { type CompanyTerms, MAX_TERMS_CHARACTERS } from '#shared/identity/terms/terms.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Textarea } from '../../../../platform/ui/input.tsx'
import { FormDialog } from '../../../../platform/ui/overlays/form-dialog.tsx'
import { usePublishTerms } from './use-terms.ts'

type PublishTermsFormProps = { companyId: string; before: CompanyTerms | null; onClose: () => void }

/** Publishes a new version, which begins with the text of the one before. */
export function PublishTermsForm({ companyId, before, onClose }: PublishTermsFormProps) {
  const { t } = useTranslation('admin')
  const [english, setEnglish] = useState(before?.text_en ?? '')
  const [french, setFrench] = useState(before?.text_fr ?? '')
  const [wasSent, setSent] = useState(false)
  const publishing = usePublishTerms(companyId, onClose)
  const body = { text_en: english.trim(), text_fr: french.trim() }
  const missing = (text: string) => (wasSent && text === '' ? t('terms.missing') : undefined)
  const submit = () => {
    setSent(true)
    if (body.text_en && body.text_fr) publishing.mutate(body)
  }
  return (
    <FormDialog
      size="md"
      title={t('terms.new')}
      description={t('terms.new_text')}
      send={t('terms.publish')}
      busy={publishing.isPending}
      onSend={submit}
      onClose={onClose}
    >
      <Field label={t('terms.english')} error={missing(body.text_en)}>
        <Textarea
          rows={8}
          lang="en"
          maxLength={MAX_TERMS_CHARACTERS}
          value={english}
          onChange={({ target }) => setEnglish(target.value)}
        />
      </Field>
      <Field label={t('terms.french')} error={missing(body.text_fr)}>
        <Textarea
          rows={8}
          lang="fr"
          maxLength={MAX_TERMS_CHARACTERS}
          value={french}
          onChange={({ target }) => setFrench(target.value)}
        />
      </Field>
      {publishing.error && <Callout tone="danger">{errorText(t, publishing.error)}</Callout>}
    </FormDialog>
  )
}
