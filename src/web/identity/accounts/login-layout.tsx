import { ChevronDown, Globe, Moon, Sun } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Language } from '#shared/platform/primitives.ts'
import { chooseLanguage, currentLanguage, useTranslation } from '../../platform/i18n/i18n.ts'
import { languageNames, languages } from '../../platform/i18n/language.ts'
import { setDark, useDark } from '../../platform/lib/theme.ts'
import { Mark } from '../../platform/ui/mark.tsx'

const Showcase = lazy(() => import('./showcase.tsx').then((file) => ({ default: file.Showcase })))

/** Layout of the login area: form on the left, product showcase on the right (hidden on phones). */
export function LoginLayout({ children }: { children: ReactNode }) {
  const { t } = useTranslation('common')
  return (
    <div className="grid min-h-dvh md:grid-cols-2">
      <div className="flex min-w-0 flex-col px-5 pt-5 pb-[calc(1rem+env(safe-area-inset-bottom))] md:px-10 md:py-8">
        <header className="flex items-center gap-2.5 text-15 font-semibold tracking-[-0.015em]">
          <Mark />
          {t('app_name')}
        </header>
        {/* Its top has a place of its own: what a field has to say moves nothing above it. */}
        <main className="mx-auto mb-auto w-full max-w-86 py-6 md:mt-[max(1rem,calc(50dvh-21rem))] md:py-5">
          {children}
        </main>
        <LoginFooter />
      </div>
      <aside className="hidden flex-col items-center justify-center border-l border-line bg-surface px-8 md:flex">
        <Suspense fallback={null}>
          <Showcase />
        </Suspense>
      </aside>
    </div>
  )
}

function LoginFooter() {
  const { t } = useTranslation('login')
  return (
    <footer className="flex items-center gap-3 text-12 text-ink-3">
      <span className="truncate">{t('self_hosted', { host: location.hostname })}</span>
      <span className="flex-1" />
      <LanguageSwitch />
      <ThemeSwitch />
    </footer>
  )
}

function LanguageSwitch() {
  const { t } = useTranslation('common')
  return (
    <span className="relative inline-flex items-center gap-[5px] hover:text-ink max-md:min-h-11">
      <Globe aria-hidden className="icon-12" />
      <select
        aria-label={t('profile.language')}
        value={currentLanguage()}
        onChange={(event) => void chooseLanguage(event.target.value as Language)}
        className="field-sizing-content appearance-none rounded-tag bg-transparent pr-4 !text-12"
      >
        {languages.map((language) => (
          <option key={language} value={language} className="bg-raised text-ink">
            {languageNames[language]}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="icon-12 pointer-events-none absolute right-0" />
    </span>
  )
}

function ThemeSwitch() {
  const { t } = useTranslation('common')
  const isDark = useDark()
  const Icon = isDark ? Moon : Sun
  return (
    <button
      type="button"
      aria-label={t(isDark ? 'theme.to_light' : 'theme.to_dark')}
      onClick={() => setDark(!isDark)}
      className="inline-flex items-center gap-[5px] rounded-tag hover:text-ink max-md:min-h-11"
    >
      <Icon aria-hidden className="icon-12" />
      {t('theme.toggle')}
    </button>
  )
}
