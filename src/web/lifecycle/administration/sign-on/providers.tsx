import { CircleCheck, CirclePause, FileKey2, KeyRound, type LucideIcon, Network, Plus } from 'lucide-react'
import { useState } from 'react'
import { ProviderKind, type StoredProvider } from '#shared/identity/accounts/sign-on-providers.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { newId } from './provider-draft.ts'
import { RemoveProvider } from './remove-provider.tsx'
import { SigningKey } from './signing-key.tsx'
import { UnknownGroups } from './unknown-groups.tsx'
import { useProviders } from './use-providers.ts'
import './sign-on.css'

const icons: Record<ProviderKind, LucideIcon> = { oidc: KeyRound, saml: FileKey2, ldap: Network }
type Opened = { id: string; kind: ProviderKind; provider: StoredProvider | null }

/** Providers set up here, with their form, their test and their removal. */
export function Providers() {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useProviders()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [leaving, setLeaving] = useState<StoredProvider | null>(null)
  return (
    <>
      <div className="sign-on-head">
        <h3>{t('administration.sign_on.providers')}</h3>
        <Menu
          align="end"
          trigger={
            <Button icon={<Plus aria-hidden className="icon" />}>{t('administration.sign_on.add')}</Button>
          }
          entries={ProviderKind.options.map((kind) => ({
            label: t(`administration.sign_on.kind.${kind}`),
            onSelect: () => setOpened({ id: newId(kind), kind, provider: null }),
          }))}
        />
      </div>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-13', 'h-13']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <p className="text-13 text-ink-3">{t('administration.sign_on.no_providers')}</p>
      )}
      {data && data.items.length > 0 && (
        <ul className="admin-card divide-y divide-line">
          {data.items.map((provider) => (
            <Row
              key={provider.id}
              provider={provider}
              onChange={() => setOpened({ id: provider.id, kind: provider.settings.kind, provider })}
              onRemove={() => setLeaving(provider)}
            />
          ))}
        </ul>
      )}
      {data && data.certificates.length > 0 && <SigningKey certificates={data.certificates} />}
      {opened && data && (
        <ProviderDialog {...opened} address={data.address} onClose={() => setOpened(null)} />
      )}
      {leaving && <RemoveProvider provider={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}

type RowProps = { provider: StoredProvider; onChange: () => void; onRemove: () => void }

function Row({ provider, onChange, onRemove }: RowProps) {
  const { t } = useTranslation('admin')
  const { name, settings, is_enabled: isOn, people } = provider
  const Icon = icons[settings.kind]
  const count = t('administration.people', { count: people, shown: formatNumber(people) })
  return (
    <li className="sign-on-row">
      <span className="sign-on-tile">
        <Icon aria-hidden className="icon" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">
          {name}, {t(`administration.sign_on.kind.${settings.kind}`)}
        </span>
        <span className="block truncate text-12 text-ink-3">
          {[placeOf(settings), count].filter(Boolean).join(' · ')}
        </span>
        <UnknownGroups name={name} found={provider.unknown_groups} />
      </span>
      {isOn ? (
        <Badge tone="success" icon={<CircleCheck aria-hidden />}>
          {t('administration.sign_on.on')}
        </Badge>
      ) : (
        <Badge tone="line" icon={<CirclePause aria-hidden />}>
          {t('administration.sign_on.switched_off')}
        </Badge>
      )}
      <span className="flex flex-none gap-1">
        <Button
          size="sm"
          variant="danger-ghost"
          aria-label={t('administration.sign_on.remove_of', { name })}
          onClick={onRemove}
        >
          {t('administration.sign_on.remove')}
        </Button>
        <Button size="sm" aria-label={t('administration.sign_on.change_of', { name })} onClick={onChange}>
          {t('administration.sign_on.change')}
        </Button>
      </span>
    </li>
  )
}

/** Returns the host of a provider; empty for pasted metadata. */
function placeOf(settings: StoredProvider['settings']): string {
  const address = { oidc: 'issuer', saml: 'metadata', ldap: 'url' }[settings.kind]
  const value = String(Reflect.get(settings, address))
  return URL.canParse(value) ? new URL(value).host : ''
}
