import { FileKey2 } from 'lucide-react'
import type { SigningCertificate } from '#shared/identity/accounts/sign-on-providers.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { useChangeSigningKey } from './use-providers.ts'

/** The certificates that SAML providers need to verify our requests, and the replacement of the key in two steps. */
export function SigningKey({ certificates }: { certificates: readonly SigningCertificate[] }) {
  const { t } = useTranslation('admin')
  const changing = useChangeSigningKey()
  const hasNext = certificates.some(({ place }) => place === 'next')
  return (
    <>
      <h3 className="mt-6 mb-2 text-14 font-semibold">{t('administration.sign_on.key')}</h3>
      <p className="mb-3 text-13 text-ink-2">
        {t(hasNext ? 'administration.sign_on.key_next_hint' : 'administration.sign_on.key_hint')}
      </p>
      <ul className="admin-card divide-y divide-line">
        {certificates.map(({ place, fingerprint, valid_until }) => (
          <li key={place} className="sign-on-row">
            <span className="sign-on-tile">
              <FileKey2 aria-hidden className="icon" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block font-medium">
                {t('administration.sign_on.valid_until', {
                  date: formatDate(valid_until, { dateStyle: 'long' }),
                })}
              </span>
              <code className="block truncate text-12 text-ink-3" title={fingerprint}>
                SHA-256 {fingerprint}
              </code>
            </span>
            <Badge tone={place === 'current' ? 'success' : 'line'}>
              {t(`administration.sign_on.key_${place}`)}
            </Badge>
          </li>
        ))}
      </ul>
      <Button
        className="mt-2"
        busy={changing.isPending}
        onClick={() => changing.mutate(hasNext ? 'switch' : 'prepare')}
      >
        {t(hasNext ? 'administration.sign_on.key_switch' : 'administration.sign_on.key_prepare')}
      </Button>
    </>
  )
}
