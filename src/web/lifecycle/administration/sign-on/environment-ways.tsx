import { useQuery } from '@tanstack/react-query'
import { CircleCheck, KeyRound, Lock } from 'lucide-react'
import { listSignOnWays, type SignOnWay } from '#shared/identity/accounts/sign-on-ways.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { UnknownGroups } from './unknown-groups.tsx'

/** Providers that environment variables set: read only, with the names of the settings, and the rules for groups. */
export function EnvironmentWays() {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['sign-on-ways'],
    queryFn: ({ signal }) => call(listSignOnWays, { signal }),
  })
  return (
    <>
      <h3 className="mt-6 mb-2 text-14 font-semibold">{t('administration.sign_on.environment')}</h3>
      <p className="mb-3 text-13 text-ink-2">{t('administration.sign_on.hint')}</p>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data && (
        <>
          <ul className="admin-card divide-y divide-line">
            {data.ways.map((way) => (
              <Way key={way.id} way={way} />
            ))}
          </ul>
          <h3 className="mt-6 mb-2 text-14 font-semibold">{t('administration.sign_on.roles')}</h3>
          {data.rules.length === 0 && (
            <p className="text-13 text-ink-3">{t('administration.sign_on.roles_none')}</p>
          )}
          <ul className="admin-card divide-y divide-line empty:hidden">
            {data.rules.map(({ provider, group, company_id, company, role }) => (
              <li key={`${provider} ${group} ${company_id} ${role}`} className="px-4 py-2 text-13">
                <span className="font-medium">{group}</span>
                <span className="text-ink-3"> · {provider} → </span>
                {company ?? t('administration.sign_on.gone')}
                <span className="text-ink-3"> · {t(`administration.role.${role}`)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Way({ way }: { way: SignOnWay }) {
  const { t } = useTranslation('admin')
  const { id, name, available, missing, callback, metadata, fixed_by, unknown_groups: unknown } = way
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <KeyRound aria-hidden className="icon mt-1 text-ink-2" />
      <div className="grid min-w-0 flex-1 gap-1 text-13">
        <span className="font-medium">{name}</span>
        {available ? (
          <span className="text-ink-3">
            {t('administration.fixed_by', { names: fixed_by.join(', '), count: fixed_by.length })}
          </span>
        ) : (
          <span className="text-ink-3">
            {t('administration.sign_on.missing', { names: missing.join(', ') })}
          </span>
        )}
        {available && callback && (
          <Address name={name} label={t('administration.sign_on.callback')} value={callback} />
        )}
        {available && metadata && (
          <Address name={name} label={t('administration.sign_on.metadata')} value={metadata} />
        )}
        <UnknownGroups name={name} found={unknown} />
        {available && id === 'ldap' && (
          <span className="text-ink-3">{t('administration.sign_on.directory')}</span>
        )}
      </div>
      {available ? (
        <Badge tone="success" icon={<CircleCheck aria-hidden />}>
          {t('administration.sign_on.on')}
        </Badge>
      ) : (
        <Badge tone="line" icon={<Lock aria-hidden />}>
          {t('administration.sign_on.off')}
        </Badge>
      )}
    </li>
  )
}

function Address({ name, label, value }: { name: string; label: string; value: string }) {
  const { t } = useTranslation('admin')
  return (
    <span className="flex items-center gap-2 text-12">
      <span className="min-w-0 break-all">
        <span className="block text-ink-3">{label}</span>
        <code>{value}</code>
      </span>
      <CopyButton size="sm" read={() => value} name={t('administration.sign_on.copy', { name })} />
    </span>
  )
}
