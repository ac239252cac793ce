import type { CSSProperties } from 'react'
import { brandColours } from '#shared/identity/branding/brand-colours.ts'
import type { BrandTheme, CompanyBrand } from '#shared/identity/branding/branding.ts'
import { PRODUCT_NAME } from '#shared/identity/branding/product-name.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Mark } from '../../../../platform/ui/mark.tsx'

type Props = { name: string | null; accent: string | null; logos: CompanyBrand['logos'] }

/** How the brand looks in both themes, also before it is saved. */
export function BrandPreview(props: Props) {
  const { t } = useTranslation('admin')
  return (
    <section aria-label={t('brand.preview')} className="grid gap-3 md:grid-cols-2">
      {(['light', 'dark'] as const).map((theme) => (
        <Preview key={theme} theme={theme} {...props} />
      ))}
    </section>
  )
}

function Preview({ theme, name, accent, logos }: Props & { theme: BrandTheme }) {
  const { t } = useTranslation('admin')
  const logo = logos[theme] ?? logos.light ?? logos.dark
  return (
    <div
      role="img"
      aria-label={t(`brand.preview_of.${theme}`, { name: name ?? PRODUCT_NAME })}
      data-theme={theme}
      style={accent ? variablesOf(accent, theme) : undefined}
      className="grid grid-cols-[8.5rem_1fr] overflow-hidden rounded-card border border-line bg-bg text-ink"
    >
      <div aria-hidden className="grid content-start gap-2 border-r border-line bg-surface p-3">
        <span className="flex min-w-0 items-center gap-2 text-13 font-semibold">
          {logo ? (
            <img src={logo} alt="" className="h-5.5 max-w-16 flex-none object-contain" />
          ) : (
            <Mark className="own size-5.5" />
          )}
          <span className="truncate">{name ?? PRODUCT_NAME}</span>
        </span>
        <span className="rounded-row bg-accent-soft px-2 py-1 text-12 font-medium text-accent">
          {t('brand.sample.current')}
        </span>
        <span className="px-2 text-12 text-ink-2">{t('brand.sample.other')}</span>
      </div>
      <div aria-hidden className="grid content-start justify-items-start gap-3 p-4 text-13">
        <span>
          {t('brand.sample.text')} <span className="text-accent underline">{t('brand.sample.link')}</span>
        </span>
        <span className="rounded-control bg-accent px-3 py-1.5 font-medium text-accent-fg">
          {t('brand.sample.button')}
        </span>
        <span className="rounded-control border border-accent-line px-3 py-1.5 text-ink-2 outline-2 outline-offset-2 outline-focus">
          {t('brand.sample.field')}
        </span>
      </div>
    </div>
  )
}

function variablesOf(accent: string, theme: BrandTheme): CSSProperties {
  const colours = Object.entries(brandColours(accent, theme))
  return Object.fromEntries(colours.map(([name, value]) => [`--${name.replace('_', '-')}`, value]))
}
