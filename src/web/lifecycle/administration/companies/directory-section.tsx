import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  connectDirectory,
  type Directory,
  disconnectDirectory,
  getDirectory,
} from '#shared/identity/accounts/scim.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { SecretDialog } from '../../../platform/ui/overlays/secret-dialog.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { CompanyPicker } from '../company-picker.tsx'
import { Domains } from '../domains/domains.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useChosenCompany, useManagedCompanies } from '../use-managed.ts'

/** SCIM directories of companies, which provision users and groups, and the companies' verified mail domains. */
export function DirectorySection() {
  const { t } = useTranslation('admin')
  const { data: companies, error, refetch } = useManagedCompanies()
  const [company, choose] = useChosenCompany(companies ?? [])
  return (
    <>
      <h3 className="mt-6 mb-2 text-14 font-semibold">{t('administration.directory.title')}</h3>
      <p className="mb-4 text-13 text-ink-2">{t('administration.directory.hint')}</p>
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {companies && companies.length > 1 && (
        <div className="admin-search mb-4">
          <CompanyPicker
            isField
            name={t('administration.directory.company')}
            companies={companies}
            value={company?.id ?? ''}
            emptyLabel=""
            onChoose={choose}
          />
        </div>
      )}
      {company && (
        <div key={company.id}>
          <DirectoryOf companyId={company.id} name={company.name} />
          <Domains companyId={company.id} name={company.name} />
        </div>
      )}
    </>
  )
}

type DirectoryOfProps = { companyId: string; name: string }

function DirectoryOf({ companyId, name }: DirectoryOfProps) {
  const { t } = useTranslation('admin')
  const key = ['directory', companyId]
  const params = { companyId }
  const { data, error, isPending, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(getDirectory, { params, signal }),
  })
  const [asks, setAsks] = useState<'replace' | 'revoke' | null>(null)
  const after = {
    onError: (wrong: Error) => void toast.error(errorText(t, wrong)),
    onSettled: () => {
      setAsks(null)
      return queryClient.invalidateQueries({ queryKey: key })
    },
  }
  const making = useMutation({ mutationFn: () => call(connectDirectory, { params }), ...after })
  const revoking = useMutation({ mutationFn: () => call(disconnectDirectory, { params }), ...after })
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  const isConnected = data.connected_at !== null
  return (
    <>
      <div className="admin-card divide-y divide-line">
        <Facts directory={data} />
        <div className="flex flex-wrap gap-2 px-4 py-2.5">
          <Button
            busy={making.isPending}
            onClick={() => (isConnected ? setAsks('replace') : making.mutate())}
          >
            {t(isConnected ? 'administration.directory.replace' : 'administration.directory.make')}
          </Button>
          {isConnected && (
            <Button variant="danger-ghost" onClick={() => setAsks('revoke')}>
              {t('administration.directory.revoke')}
            </Button>
          )}
        </div>
      </div>
      {making.data && (
        <SecretDialog
          title={t('administration.directory.made')}
          description={t('administration.directory.made_hint', { name })}
          secret={making.data.token}
          names={{
            secret: t('administration.directory.token'),
            copy: t('administration.directory.copy_token'),
            done: t('administration.directory.done'),
          }}
          onClose={making.reset}
        />
      )}
      <ConfirmDialog
        open={asks !== null}
        onOpenChange={(isOpen) => !isOpen && setAsks(null)}
        title={t(`administration.directory.${asks ?? 'revoke'}_title`, { name })}
        message={t(`administration.directory.${asks ?? 'revoke'}_message`)}
        confirmLabel={t(`administration.directory.${asks ?? 'revoke'}`)}
        busy={making.isPending || revoking.isPending}
        onConfirm={() => (asks === 'replace' ? making : revoking).mutate()}
      />
    </>
  )
}

function Facts({ directory }: { directory: Directory }) {
  const { t } = useTranslation('admin')
  const { url, connected_at, last_used_at, people, groups, last_change, last_refusal } = directory
  const when = (time: string) => formatDate(time, { dateStyle: 'medium', timeStyle: 'short' })
  const counts = { people: formatNumber(people), groups: formatNumber(groups) }
  return (
    <>
      <div className="flex items-center gap-2 px-4 py-2.5 text-13">
        <span className="min-w-0 break-all">
          <span className="block text-ink-3">{t('administration.directory.url')}</span>
          <code>{url}</code>
        </span>
        <CopyButton size="sm" read={() => url} name={t('administration.directory.copy_url')} />
      </div>
      <div className="grid gap-1 px-4 py-2.5 text-13">
        <span className="font-medium">
          {connected_at
            ? t('administration.directory.connected', { time: when(connected_at) })
            : t('administration.directory.not_connected')}
        </span>
        {connected_at && (
          <span className="text-ink-3">
            {last_used_at
              ? t('administration.directory.used', { time: when(last_used_at) })
              : t('administration.directory.never_used')}
          </span>
        )}
        <span>{t('administration.directory.brought', counts)}</span>
        {last_change && (
          <span>
            {t('administration.directory.last', { name: last_change.name, time: when(last_change.at) })}
          </span>
        )}
      </div>
      {last_refusal && (
        <Callout
          tone="warning"
          title={t('administration.directory.refused', { time: when(last_refusal.at) })}
        >
          {last_refusal.detail}
        </Callout>
      )}
    </>
  )
}
