import { Lock } from 'lucide-react'
import type { SignOnProvider } from '#shared/accounts/accounts.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { buttonLook } from '../ui/button.tsx'
import { GoogleMark } from './google-mark.tsx'
import { type SignInOptions, signOnUrl } from './sign-in.ts'

const names: Record<SignOnProvider['id'], string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
  saml: 'SAML',
}

/** The ways in from outside: what is set up as buttons, the rest as one quiet line. */
export function SignOn({
  options,
  showLocked = true,
}: {
  options: SignInOptions | null
  showLocked?: boolean
}) {
  const available = options?.providers.filter(({ id, available }) => available && id !== 'google') ?? []
  const google = options?.providers.find(({ id }) => id === 'google')
  return (
    <>
      <div className="flex flex-col gap-2">
        <GoogleButton isAvailable={google?.available ?? null} />
        {available.map(({ id }) => (
          <ProviderLink key={id} id={id} />
        ))}
      </div>
      {showLocked && <LockedProviders available={available.map(({ id }) => id)} />}
    </>
  )
}

/** The line between password and sign-on. */
export function Or() {
  const { t } = useTranslation('login')
  return (
    <div className="my-5 flex items-center gap-3 text-12 text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t('or')}
    </div>
  )
}

function GoogleButton({ isAvailable }: { isAvailable: boolean | null }) {
  const { t } = useTranslation('login')
  if (isAvailable) return <ProviderLink id="google" />
  return (
    <>
      <button type="button" disabled className={buttonLook({ size: 'lg', wide: true })}>
        <GoogleMark isMuted />
        {t('continue_with', { provider: names.google })}
      </button>
      {isAvailable === false && <p className="text-center text-12 text-ink-3">{t('google_not_set_up')}</p>}
    </>
  )
}

function ProviderLink({ id }: { id: SignOnProvider['id'] }) {
  const { t } = useTranslation('login')
  return (
    // A real redirect: the service must see a page visit.
    <a
      href={signOnUrl(id)}
      className={`${buttonLook({ size: 'lg', wide: true })} !gap-2.5 hover:bg-surface-2`}
    >
      {id === 'google' && <GoogleMark />}
      {t('continue_with', { provider: names[id] })}
    </a>
  )
}

function LockedProviders({ available }: { available: string[] }) {
  const { t } = useTranslation('login')
  const locked = (['microsoft', 'github', 'apple', 'facebook', 'saml'] as const).filter(
    (id) => !available.includes(id),
  )
  if (locked.length === 0) return null
  return (
    <div className="mt-4 text-12 text-ink-3">
      <ul className="flex flex-wrap justify-center gap-x-4.5">
        {locked.map((id) => (
          <li key={id}>{names[id]}</li>
        ))}
      </ul>
      <p className="mt-1 flex items-center justify-center gap-[5px]">
        <Lock aria-hidden className="icon-12" />
        {t('coming_soon')}
      </p>
    </div>
  )
}
