import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { DirectorySection } from '../companies/directory-section.tsx'
import { EnvironmentWays } from './environment-ways.tsx'
import { NetworksSection } from './networks/networks-section.tsx'
import { PasswordPolicySection } from './password-policy-section.tsx'
import { Providers } from './providers.tsx'

/** External sign-in: the installation's providers for super admins, and the companies' directories. */
export function SignOnPage() {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  return (
    <>
      <div className="admin-head">
        <h2>{t('administration.page.sign_on')}</h2>
      </div>
      {isSuper && (
        <>
          <Providers />
          <EnvironmentWays />
        </>
      )}
      <NetworksSection />
      <DirectorySection />
      {isSuper && <PasswordPolicySection />}
    </>
  )
}
