import { type ReactNode, useState } from 'react'
import { type CompanyBrand, MAX_BRAND_NAME } from '#shared/identity/branding/branding.ts'
import { PRODUCT_NAME } from '#shared/identity/branding/product-name.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Button } from '../../../../platform/ui/button.tsx'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { ConfirmDialog } from '../../../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { AccentField, isAccent } from './accent-field.tsx'
import { BrandPreview } from './brand-preview.tsx'
import { LogoField } from './logo-field.tsx'
import { type BrandFields, useChangeBrand } from './use-brand.ts'

type Draft = Record<keyof BrandFields, string>

/** The fields of a brand with its preview. Logos are stored immediately, the other fields together. */
export function BrandForm({ companyId, brand }: { companyId: string; brand: CompanyBrand }) {
  const { t } = useTranslation('admin')
  const [draft, setDraft] = useState(() => draftOf(brand))
  const [isResetting, setResetting] = useState(false)
  const saving = useChangeBrand(companyId, (saved) => {
    setDraft(draftOf(saved))
    setResetting(false)
    toast.success(t('brand.saved'))
  })
  const put = (name: keyof Draft) => (value: string) => setDraft({ ...draft, [name]: value })
  const fields = fieldsOf(draft)
  const isValid = fields.accent === null || isAccent(fields.accent)
  const text = (
    name: Exclude<keyof Draft, 'accent'>,
    more: { placeholder?: string; type?: string; hint?: string } = {},
  ) => (
    <Field label={t(`brand.${name}`)} hint={more.hint} optional>
      <Input
        type={more.type ?? 'text'}
        maxLength={more.type === 'email' ? 254 : MAX_BRAND_NAME}
        placeholder={more.placeholder}
        value={draft[name]}
        onChange={({ target }) => put(name)(target.value)}
      />
    </Field>
  )
  return (
    <form
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (isValid && !saving.isPending) saving.mutate({ fields })
      }}
    >
      <Section title={t('brand.look')}>
        {text('name', { placeholder: PRODUCT_NAME, hint: t('brand.name_hint') })}
        <AccentField value={draft.accent} onChange={put('accent')} />
        <LogoField companyId={companyId} theme="light" address={brand.logos.light} />
        <LogoField companyId={companyId} theme="dark" address={brand.logos.dark} />
      </Section>
      <BrandPreview name={fields.name} accent={isValid ? fields.accent : null} logos={brand.logos} />
      <Section title={t('brand.mails')}>
        {text('sender_name', { placeholder: fields.name ?? PRODUCT_NAME, hint: t('brand.sender_name_hint') })}
        {text('reply_to', { type: 'email', hint: t('brand.reply_to_hint') })}
        {text('sender_address', { type: 'email', hint: t('brand.sender_address_hint') })}
      </Section>
      {saving.error && <Callout tone="danger">{errorText(t, saving.error)}</Callout>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={saving.isPending} disabled={!isValid}>
          {t('brand.save')}
        </Button>
        <Button variant="danger-ghost" onClick={() => setResetting(true)}>
          {t('brand.reset')}
        </Button>
      </div>
      <ConfirmDialog
        open={isResetting}
        onOpenChange={setResetting}
        tone="danger"
        title={t('brand.reset_title')}
        message={t('brand.reset_text')}
        confirmLabel={t('brand.reset')}
        busy={saving.isPending}
        onConfirm={() => saving.mutate('reset')}
      />
    </form>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="admin-card px-4 py-4">
      <h2 className="mb-3 text-14 font-medium">{title}</h2>
      <div className="grid gap-x-6 gap-y-4 md:grid-cols-2">{children}</div>
    </section>
  )
}

function draftOf({ name, accent, sender_name, sender_address, reply_to }: BrandFields): Draft {
  return {
    ...{ name: name ?? '', accent: accent ?? '', sender_name: sender_name ?? '' },
    ...{ sender_address: sender_address ?? '', reply_to: reply_to ?? '' },
  }
}

function fieldsOf(draft: Draft): BrandFields {
  const filled = (name: keyof Draft) => draft[name].trim() || null
  return {
    ...{ name: filled('name'), accent: filled('accent')?.toLowerCase() ?? null },
    ...{ sender_name: filled('sender_name'), sender_address: filled('sender_address') },
    reply_to: filled('reply_to'),
  }
}
