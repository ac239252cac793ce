import type { CompanyNetwork, Restricts } from '#shared/identity/networks/networks.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../../platform/ui/states/skeleton.tsx'
import { CompanyPicker } from '../../company-picker.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { useChosenCompany, useManagedCompanies } from '../../use-managed.ts'
import { AddNetworkForm } from './add-network-form.tsx'
import { NetworkRow } from './network-row.tsx'
import { useNetworks } from './use-networks.ts'

/** The networks to which a company restricts signing in and its administration. */
export function NetworksSection() {
  const { t } = useTranslation('admin')
  const { data: companies } = useManagedCompanies()
  const [company, choose] = useChosenCompany(companies ?? [])
  return (
    <section aria-labelledby="networks-title">
      <h3 id="networks-title" className="mt-8 mb-2 text-14 font-semibold">
        {t('networks.title')}
      </h3>
      <p className="mb-4 text-13 text-ink-2">{t('networks.intro')}</p>
      {companies && companies.length > 1 && (
        <div className="admin-search mb-4">
          <CompanyPicker
            isField
            name={t('networks.company')}
            companies={companies}
            value={company?.id ?? ''}
            emptyLabel=""
            onChoose={choose}
          />
        </div>
      )}
      {company && <NetworksOf key={company.id} companyId={company.id} />}
    </section>
  )
}

function NetworksOf({ companyId }: { companyId: string }) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useNetworks(companyId)
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  const { items, address, is_proxy } = data
  const list = (restricts: Restricts) => (
    <NetworkList
      companyId={companyId}
      restricts={restricts}
      networks={items.filter((network) => network.restricts === restricts)}
      address={address}
    />
  )
  return (
    <div className="grid gap-6">
      {is_proxy && (
        <Callout tone="warning" title={t('networks.proxy')}>
          {t('networks.proxy_text', { address })}
        </Callout>
      )}
      {list('sign_in')}
      {list('administration')}
    </div>
  )
}

type NetworkListProps = {
  companyId: string
  restricts: Restricts
  networks: CompanyNetwork[]
  address: string
}

function NetworkList({ companyId, restricts, networks, address }: NetworkListProps) {
  const { t } = useTranslation('admin')
  const title = t(`networks.${restricts}.title`)
  return (
    <div>
      <h4 className="mb-1 text-13 font-semibold">{title}</h4>
      <p className="mb-2 text-13 text-ink-2">
        {t(`networks.${restricts}.${networks.length === 0 ? 'open' : 'restricted'}`)}
      </p>
      <div className="admin-card divide-y divide-line">
        {networks.length > 0 && (
          <ul aria-label={title} className="divide-y divide-line">
            {networks.map((network) => (
              <NetworkRow
                key={network.id}
                companyId={companyId}
                network={network}
                address={address}
                isLast={networks.length === 1}
              />
            ))}
          </ul>
        )}
        <AddNetworkForm companyId={companyId} restricts={restricts} address={address} />
      </div>
    </div>
  )
}
