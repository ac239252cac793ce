import { useRef } from 'react'
import { type BrandTheme, MAX_LOGO_BYTES } from '#shared/identity/branding/branding.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Button } from '../../../../platform/ui/button.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { useChangeBrand } from './use-brand.ts'

type Props = { companyId: string; theme: BrandTheme; address: string | null }

/** The logo for a theme: uploaded, replaced and removed immediately. */
export function LogoField({ companyId, theme, address }: Props) {
  const { t } = useTranslation('admin')
  const input = useRef<HTMLInputElement>(null)
  const changing = useChangeBrand(companyId, () => toast.success(t('brand.saved')))
  const change = (file: File | null) => {
    if (file && file.size > MAX_LOGO_BYTES) return void toast.error(t('brand.logo_large'))
    changing.mutate({ theme, file }, { onError: (error) => void toast.error(errorText(t, error)) })
  }
  const name = t(`brand.logo.${theme}`)
  return (
    <fieldset aria-label={name} className="grid min-w-0 content-start gap-1.5">
      <span className="text-13 font-medium">{name}</span>
      <span className="flex flex-wrap items-center gap-2">
        <span
          data-theme={theme}
          className="flex h-11 w-32 items-center justify-center rounded-control border border-line bg-surface p-1.5"
        >
          {address ? (
            <img src={address} alt={name} className="max-h-full max-w-full object-contain" />
          ) : (
            <span className="text-12 text-ink-3">{t('brand.logo_none')}</span>
          )}
        </span>
        <Button busy={changing.isPending} onClick={() => input.current?.click()}>
          {t(address ? 'brand.logo_replace' : 'brand.logo_upload')}
        </Button>
        {address && (
          <Button variant="danger-ghost" disabled={changing.isPending} onClick={() => change(null)}>
            {t('brand.logo_remove')}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          hidden
          aria-label={name}
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) change(file)
            target.value = ''
          }}
        />
      </span>
      <span className="text-12 text-ink-3">{t(`brand.logo_hint.${theme}`)}</span>
    </fieldset>
  )
}
