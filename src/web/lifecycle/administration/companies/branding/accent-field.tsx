import { brandColours } from '#shared/identity/branding/brand-colours.ts'
import type { BrandTheme } from '#shared/identity/branding/branding.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { EXAMPLE, UNSET } from './accent-samples.ts'

export const isAccent = (text: string) => /^#[0-9a-f]{6}$/i.test(text.trim())

/** An accent colour, typed or picked. It says where the colour changes so that text and buttons stay legible. */
export function AccentField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('admin')
  const isWrong = value.trim() !== '' && !isAccent(value)
  return (
    <Field
      label={t('brand.accent')}
      optional
      hint={adjustments(value.trim().toLowerCase()).map(({ theme, shown }) => (
        <span key={theme} className="block">
          {t(`brand.adjusted.${theme}`, { colour: shown })}
        </span>
      ))}
      error={isWrong ? t('brand.accent_wrong') : undefined}
    >
      <span className="flex gap-2">
        <Input
          className="flex-1 font-mono"
          maxLength={7}
          spellCheck={false}
          placeholder={EXAMPLE}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
        <input
          type="color"
          aria-label={t('brand.pick')}
          className="h-8 w-12 flex-none rounded-control border border-line-2 bg-raised p-0.5 max-md:h-11"
          value={isAccent(value) ? value.trim().toLowerCase() : UNSET}
          onChange={({ target }) => onChange(target.value)}
        />
      </span>
    </Field>
  )
}

/** Returns the themes in which an accent has another lightness. */
function adjustments(accent: string): { theme: BrandTheme; shown: string }[] {
  if (!isAccent(accent)) return []
  const shown = (['light', 'dark'] as const).map((theme) => ({
    theme,
    shown: brandColours(accent, theme).accent,
  }))
  return shown.filter((one) => one.shown !== accent)
}
