import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Segments } from './segments.tsx'

export const modes = ['original', 'digitized', 'text'] as const
export type Mode = (typeof modes)[number]

type ViewModesProps = { value: Mode; hasOriginal: boolean; onChange: (mode: Mode) => void }

/** The original, the digitized view, or plain text. */
export function ViewModes({ value, hasOriginal, onChange }: ViewModesProps) {
  const { t } = useTranslation('documents')
  const offered = modes.filter((mode) => hasOriginal || mode !== 'original')
  return (
    <Segments
      name={t('preview.modes')}
      value={value}
      options={offered.map((mode) => ({ value: mode, label: t(`preview.mode.${mode}`) }))}
      onChange={onChange}
    />
  )
}
