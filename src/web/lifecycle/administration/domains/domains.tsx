import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addDomain, listDomains } from '#shared/identity/accounts/domains.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { DomainRow } from './domain-row.tsx'
import { readDomain } from './read-domain.ts'

type DomainsProps = { companyId: string; name: string }

/** Mail domains of a company with their verification state, and the effect of a verified domain. */
export function Domains({ companyId, name }: DomainsProps) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['domains', companyId],
    queryFn: ({ signal }) => call(listDomains, { params: { companyId }, signal }),
  })
  return (
    <>
      <h4 className="mt-6 mb-2 text-13 font-semibold">{t('administration.domains.title', { name })}</h4>
      <p className="mb-1 text-13 text-ink-2">{t('administration.domains.hint')}</p>
      <ul className="mb-4 list-disc pl-5 text-13 text-ink-2">
        {(['proved', 'renamed', 'guarded', 'nobody_joins'] as const).map((effect) => (
          <li key={effect}>{t(`administration.domains.effect.${effect}`)}</li>
        ))}
      </ul>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data && (
        <div className="admin-card divide-y divide-line">
          <ul className="divide-y divide-line empty:hidden">
            {data.items.map((domain) => (
              <DomainRow key={domain.domain} companyId={companyId} domain={domain} />
            ))}
          </ul>
          <AddDomain companyId={companyId} />
        </div>
      )}
    </>
  )
}

function AddDomain({ companyId }: { companyId: string }) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const adding = useMutation({
    mutationFn: (domain: string) => call(addDomain, { params: { companyId }, body: { domain } }),
    onSuccess: () => {
      setTyped('')
      return queryClient.invalidateQueries({ queryKey: ['domains', companyId] })
    },
  })
  const refusal = (error: Error) => {
    if (isApiError(error) && error.status === 422) return t('administration.domains.public')
    if (isApiError(error) && error.status === 409) return t('administration.domains.twice')
    return errorText(t, error)
  }
  return (
    <form
      noValidate
      className="flex flex-wrap items-start gap-2 px-4 py-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        const domain = readDomain(typed)
        setWrong(domain === null)
        if (domain !== null && !adding.isPending) adding.mutate(domain)
      }}
    >
      <Field
        className="min-w-60 flex-1"
        label={t('administration.domains.new')}
        error={isWrong ? t('administration.domains.wrong') : adding.error && refusal(adding.error)}
      >
        <Input
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          maxLength={253}
          placeholder="example.com"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      <Button type="submit" className="mt-6" busy={adding.isPending}>
        {t('administration.domains.add')}
      </Button>
    </form>
  )
}
