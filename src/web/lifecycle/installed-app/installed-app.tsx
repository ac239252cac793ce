import { RotateCcw } from 'lucide-react'
import { useEffect } from 'react'
import { useOpenBrand } from '../../identity/branding/branding.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { forgetAnswers } from '../../platform/lib/kept/kept-answers.ts'
import { setPaletteOpen } from '../../platform/lib/layout.ts'
import { getToken, subscribeToken } from '../../platform/lib/me/token.ts'
import { Button } from '../../platform/ui/button.tsx'
import { useNewVersion } from './use-new-version.ts'

// Also after this page left the frame, and when another tab signs out.
subscribeToken(() => {
  if (getToken() === null) forgetAnswers()
})

/** Makes the product start from its cache, and adopts new versions of the server. */
export default function InstalledApp() {
  useEffect(() => {
    registerWorker()
    openPaletteIfAsked()
  }, [])
  useOpenBrand()
  const isNew = useNewVersion()
  return isNew && <NewVersion />
}

/** Says that there is a new version, until the page reloads by itself. */
function NewVersion() {
  const { t } = useTranslation('common')
  return (
    <div
      role="status"
      className="fixed top-15 right-4 z-(--z-toast) flex items-center gap-3 rounded-card border border-line bg-raised py-2 pr-2 pl-3.5 text-13 shadow-float print:hidden"
    >
      <RotateCcw aria-hidden className="icon text-accent" />
      <span>{t('version.new')}</span>
      <Button size="sm" variant="primary" onClick={() => location.reload()}>
        {t('version.reload')}
      </Button>
    </div>
  )
}

function registerWorker(): void {
  // While developing there is no worker. Without a secure connection the browser refuses it.
  if (import.meta.env.DEV) return
  navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined)
}

/** Opens the search when the product was started with its shortcut. */
function openPaletteIfAsked(): void {
  const url = new URL(location.href)
  if (url.searchParams.get('palette') !== 'open') return
  url.searchParams.delete('palette')
  history.replaceState(history.state, '', url)
  setPaletteOpen(true)
}
