import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, RefreshCw } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { type AddressChecked, checkAddress, type Finding, summarise } from './check-address.ts'
import type { StepProps } from './use-setup.ts'

/** Compares the address this browser uses with the one used in mails and links. */
export function AddressStep({ onDone }: StepProps) {
  const { t } = useTranslation('setup')
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['setup-address'],
    queryFn: ({ signal }) => checkAddress(new URL(location.href), signal),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const done = useEffectEvent(onDone)
  const isGood = !isFetching && (data?.findings.every((finding) => finding.isGood) ?? false)
  useEffect(() => {
    if (isGood) done()
  }, [isGood])
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12', 'h-12']} />
  return (
    <div className="grid gap-4">
      <div className="setup-list">
        <div className="setup-row bg-surface">
          <span role="status" className="min-w-0 flex-1 text-13 font-medium">
            {t(`address.${isFetching ? 'checking' : summarise(data.findings)}`)}
          </span>
          <Button
            size="sm"
            busy={isFetching}
            icon={<RefreshCw aria-hidden className="icon" />}
            onClick={() => void refetch()}
          >
            {t('address.again')}
          </Button>
        </div>
        {data.findings.map((finding) => (
          <Row key={finding.about} finding={finding} checked={data} />
        ))}
      </div>
      <Remedy checked={data} />
    </div>
  )
}

function Row({ finding: { about, found, isGood }, checked }: { finding: Finding; checked: AddressChecked }) {
  const { t } = useTranslation('setup')
  const Icon = isGood ? CircleCheck : CircleAlert
  const values = {
    here: location.origin,
    told: checked.public_url ?? '',
    seen: checked.seen,
    proxy: checked.proxy_address ?? '',
  }
  return (
    <div className="setup-row">
      <Icon
        role="img"
        aria-label={t(isGood ? 'address.right' : 'address.wrong')}
        className={isGood ? 'icon text-success' : 'icon text-warning'}
      />
      <span className="setup-about">{t(`address.about.${about}`)}</span>
      <span className="setup-found">{t(`address.found.${about}.${found}`, values)}</span>
    </div>
  )
}

/** The setting that corrects the address, and a link to the configured one. */
function Remedy({ checked: { public_url, findings } }: { checked: AddressChecked }) {
  const { t } = useTranslation('setup')
  const found = findings.find(({ about }) => about === 'address')?.found
  const line = `ATRIUM_PUBLIC_URL=${location.origin}`
  if (found === 'same') return <Callout>{t('address.fixed')}</Callout>
  return (
    <Callout
      tone={found === 'unset_here' ? 'neutral' : 'warning'}
      action={
        found === 'unset_here' ? undefined : (
          <CopyButton size="sm" read={() => line} name={t('address.copy')} />
        )
      }
    >
      {t(`address.remedy.${found}`)}{' '}
      {found !== 'unset_here' && <code className="[overflow-wrap:anywhere]">{line}</code>}{' '}
      {found === 'other' && public_url && (
        <a className="text-accent hover:underline" href={`${public_url}/setup?step=address`}>
          {t('address.open_there')}
        </a>
      )}
    </Callout>
  )
}
