import { Unplug } from 'lucide-react'
import { useTranslation } from '../i18n/i18n.ts'
import './embeds.css'

/** Says that an assistant is not open here, and to the team of the site why. */
export function Closed({ search }: { search: string }) {
  const { t } = useTranslation('embeds')
  const query = new URLSearchParams(search)
  const isElsewhere = query.get('why') === 'origin_not_allowed'
  const site = query.get('site')?.slice(0, 200)
  return (
    <main className="embedded small-chat">
      <div className="shut">
        <Unplug aria-hidden className="icon-20 text-ink-2" />
        <h1 className="mt-3 mb-1 text-18 font-semibold">{t('closed.title')}</h1>
        <p className="text-14 text-ink-2">{t(isElsewhere ? 'closed.elsewhere' : 'closed.ended')}</p>
        <p className="mt-3 text-13 text-ink-3">
          {t('closed.for_team')}{' '}
          <code className="font-mono text-12 wrap-anywhere">
            {isElsewhere ? ['origin_not_allowed', site].filter(Boolean).join(', ') : 'token_not_valid'}
          </code>
        </p>
      </div>
    </main>
  )
}
