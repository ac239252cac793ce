import { useTranslation } from '../../platform/i18n/i18n.ts'
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../../platform/lib/theme.ts'
import { Choices } from './choices.tsx'
import { Setting } from './setting.tsx'

/** Light, dark, or like the system; stored on this device and applied immediately. */
export function ThemeSetting() {
  const { t } = useTranslation('common')
  const choice = useThemeChoice()
  return (
    <Setting tour="theme" title={t('user.theme.title')} reason={t('user.theme.reason')}>
      <Choices<ThemeChoice>
        name={t('user.theme.title')}
        value={choice}
        onChange={chooseTheme}
        choices={[
          { value: 'light', label: t('user.theme.light'), picture: <Windows themes={['light']} /> },
          { value: 'dark', label: t('user.theme.dark'), picture: <Windows themes={['dark']} /> },
          { value: 'system', label: t('user.theme.system'), picture: <Windows themes={['light', 'dark']} /> },
        ]}
      />
    </Setting>
  )
}

function Windows({ themes }: { themes: ('light' | 'dark')[] }) {
  return (
    <span className="flex h-full">
      {themes.map((theme) => (
        <span key={theme} data-theme={theme} className="flex min-w-0 flex-1 overflow-hidden bg-bg">
          <span className="w-[26%] border-r border-line bg-surface" />
          <span className="grid flex-1 content-start gap-1.5 px-3 pt-3">
            {['w-[62%]', 'w-[84%]', 'w-[48%]'].map((width) => (
              <span key={width} className={`h-1 rounded-tag bg-line-2 ${width}`} />
            ))}
            <span className="mt-1 h-3.5 rounded-pill border border-line-strong" />
          </span>
        </span>
      ))}
    </span>
  )
}
