import { Lock } from 'lucide-react'
import { useContext } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { OriginPath } from '../../platform/lib/origin-path.ts'
import { buttonLook } from '../../platform/ui/button.tsx'
import { GoogleMark } from './google-mark.tsx'
import { type OfferedService, signOnUrl } from './sign-in.ts'

/** Maximum number of services in a single column; more use two columns. */
const inOneColumn = 2

/** Buttons of the configured sign-in services; nothing without one. */
export function SignOn({ providers }: { providers: readonly OfferedService[] }) {
  const { t } = useTranslation('login')
  const available = providers.filter((provider) => provider.available)
  const hasMany = available.length > inOneColumn
  if (available.length === 0) return null
  return (
    <ul aria-label={t('sign_on')} className={hasMany ? 'grid grid-cols-2 gap-2' : 'grid gap-2'}>
      {available.map((provider) => (
        <li key={provider.id}>
          <ProviderLink {...provider} isShort={hasMany} />
        </li>
      ))}
    </ul>
  )
}

/** The services that are not configured, as one muted line. */
export function LockedProviders({ providers }: { providers: readonly OfferedService[] }) {
  const { t } = useTranslation('login')
  const locked = providers.filter((provider) => !provider.available)
  if (locked.length === 0) return null
  return (
    <div className="mt-4 flex flex-wrap items-baseline justify-center gap-x-1.5 text-11 text-ink-3 md:-mx-8">
      <Lock aria-hidden className="size-2.5 self-center" />
      <p>{t('coming_soon')}</p>
      <ul className="flex flex-wrap gap-x-1.5">
        {locked.map(({ id, name }) => (
          <li key={id} className="not-last:after:content-[',']">
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Divider between password and sign-on. */
export function Or() {
  const { t } = useTranslation('login')
  return (
    <div className="my-5 flex items-center gap-3 text-12 text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t('or')}
    </div>
  )
}

function ProviderLink({ id, name, isShort }: Pick<OfferedService, 'id' | 'name'> & { isShort: boolean }) {
  const { t } = useTranslation('login')
  const origin = useContext(OriginPath)
  // Outside of the login area, a sign-on leads back to the page it stands over.
  const from = origin === undefined ? location.pathname + location.search + location.hash : origin
  const words = t('continue_with', { provider: name })
  return (
    // A full page navigation: the identity provider must receive a browser request.
    <a
      href={signOnUrl(id, from)}
      aria-label={words}
      className={`${buttonLook({ size: 'lg', wide: true })} !gap-2.5 hover:bg-surface-2`}
    >
      {id === 'google' && <GoogleMark />}
      <span className="truncate">{isShort ? name : words}</span>
    </a>
  )
}
