import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Kbd, shortcutLabel } from '../../../platform/ui/kbd.tsx'

/** The keys of the palette. */
export function PaletteFoot() {
  const { t } = useTranslation('palette')
  return (
    <div className="flex h-10 flex-none items-center gap-4 border-t border-line bg-surface px-4 text-12 whitespace-nowrap text-ink-3 max-md:hidden">
      <Hint keys={['↑', '↓']}>{t('foot.move')}</Hint>
      <Hint keys={['↵']}>{t('foot.open')}</Hint>
      <Hint keys={[shortcutLabel('mod'), '↵']}>{t('foot.new_tab')}</Hint>
      <span className="flex-1" />
      <Hint keys={['>']}>{t('foot.actions')}</Hint>
      <Hint keys={['@']}>{t('foot.assistants')}</Hint>
    </div>
  )
}

function Hint({ keys, children }: { keys: string[]; children: string }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}{' '}
      {children}
    </span>
  )
}
