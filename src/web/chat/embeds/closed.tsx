import { Unplug } from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import './embeds.css'

/** Error code for the site's team. */
const REASON = 'token_not_valid'

/** Says that the token of this page is invalid. The server has a separate page for sites that are not allowed. */
export function Closed() {
  const { t } = useTranslation('embeds')
  return (
    <main className="embedded small-chat">
      <div className="shut">
        <Unplug aria-hidden className="icon-20 text-ink-2" />
        <h1 className="mt-3 mb-1 text-18 font-semibold">{t('closed.title')}</h1>
        <p className="text-14 text-ink-2">{t('closed.ended')}</p>
        <p className="mt-3 text-13 text-ink-3">
          {t('closed.for_team')} <code className="font-mono text-12 wrap-anywhere">{REASON}</code>
        </p>
      </div>
    </main>
  )
}
