import { Lock } from 'lucide-react'
import { useContext } from 'react'
import type { SignOnProvider } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { OriginPath } from '../../platform/lib/origin-path.ts'
import { buttonLook } from '../../platform/ui/button.tsx'
import { GoogleMark } from './google-mark.tsx'
import { type SignInOptions, signOnUrl } from './sign-in.ts'

type Providers = SignOnProvider[]

/** Maximum number of services in a single column; more use two columns. */
const inOneColumn = 2

/** External sign-in services: configured ones as buttons, the rest as one muted line. */
export function SignOn({
  options,
  showLocked = true,
}: {
  options: SignInOptions | null
  showLocked?: boolean
}) {
  const { t } = useTranslation('login')
  const providers = options?.providers ?? []
  const available = providers.filter((provider) => provider.available)
  const hasMany = available.length > inOneColumn
  const locked = providers.filter((provider) => !provider.available)
  // Alone it says for itself that it is not set up.
  const isGoogleApart = available.length === 0
  return (
    <>
      {isGoogleApart ? (
        <LockedGoogle isKnown={options !== null} />
      ) : (
        <ul aria-label={t('sign_on')} className={hasMany ? 'grid grid-cols-2 gap-2' : 'grid gap-2'}>
          {available.map((provider) => (
            <li key={provider.id}>
              <ProviderLink {...provider} isShort={hasMany} />
            </li>
          ))}
        </ul>
      )}
      {showLocked && (
        <LockedProviders locked={locked.filter(({ id }) => id !== 'google' || !isGoogleApart)} />
      )}
    </>
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

function LockedGoogle({ isKnown }: { isKnown: boolean }) {
  const { t } = useTranslation('login')
  return (
    <div className="flex flex-col gap-2">
      <button type="button" disabled className={buttonLook({ size: 'lg', wide: true })}>
        <GoogleMark isMuted />
        {t('continue_with', { provider: 'Google' })}
      </button>
      {isKnown && <p className="text-center text-12 text-ink-3">{t('google_not_set_up')}</p>}
    </div>
  )
}

function ProviderLink({ id, name, isShort }: Pick<SignOnProvider, 'id' | 'name'> & { isShort: boolean }) {
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

function LockedProviders({ locked }: { locked: Providers }) {
  const { t } = useTranslation('login')
  if (locked.length === 0) return null
  return (
    <div className="mt-4 text-12 text-ink-3">
      <ul className="flex flex-wrap justify-center gap-x-4.5">
        {locked.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <p className="mt-1 flex items-center justify-center gap-[5px]">
        <Lock aria-hidden className="icon-12" />
        {t('coming_soon')}
      </p>
    </div>
  )
}
