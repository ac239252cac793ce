import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { connectProgram, lookAtProgram, ProgramRequest } from '#shared/identity/programs/programs.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { View } from '../../platform/ui/view.tsx'
import { scopeDescription, scopeText } from './key-words.ts'

/** OAuth consent page: asks whether a program may act for the user. */
export function ConsentView({
  leave = (address) => window.location.assign(address),
}: {
  leave?: (address: string) => void
}) {
  const { t } = useTranslation('programs')
  const asked = ProgramRequest.safeParse(useSearch({ strict: false }))
  return (
    <View title={t('consent.title')}>
      <div className="mx-auto w-full max-w-[528px] flex-1 px-4 pt-8 pb-16">
        {asked.success ? (
          <Asked request={asked.data} leave={leave} />
        ) : (
          <Callout tone="danger" title={t('consent.wrong')}>
            {t('consent.incomplete')}
          </Callout>
        )}
      </div>
    </View>
  )
}

function Asked({ request, leave }: { request: ProgramRequest; leave: (address: string) => void }) {
  const { t } = useTranslation('programs')
  const { data, error } = useQuery({
    queryKey: ['program-request', request],
    queryFn: ({ signal }) => call(lookAtProgram, { body: request, signal }),
    retry: false,
  })
  const connecting = useMutation({
    mutationFn: () => call(connectProgram, { body: request }),
    onSuccess: ({ redirect_to }) => leave(redirect_to),
  })
  if (error)
    return (
      <Callout tone="danger" title={t('consent.wrong')}>
        {t('consent.again')}
        <span className="mt-1 block text-12">{errorText(t, error)}</span>
      </Callout>
    )
  if (!data) return <Loader text={t('consent.loading')} />
  const { name, host, is_local, scopes, refuse_to } = data
  return (
    <div className="grid gap-5">
      <header className="min-w-0">
        <h2 className="text-16 font-semibold wrap-anywhere">{t('consent.asks', { name })}</h2>
        <p className="mt-1 text-13 leading-[19px] wrap-anywhere text-ink-3">
          {t(is_local ? 'consent.local' : 'consent.remote', { host })} {t('consent.own_name')}
        </p>
      </header>
      <section>
        <h3 className="text-13 font-semibold">{t('consent.may')}</h3>
        <ul className="mt-2 divide-y divide-line rounded-card border border-line">
          {scopes.map((scope) => (
            <li key={scope} className="py-2.5 pr-3 pl-3.5 text-13">
              <span className="font-medium">{scopeText(t, scope)}</span>
              <p className="text-12 text-ink-3">{scopeDescription(t, scope)}</p>
            </li>
          ))}
        </ul>
      </section>
      <p className="text-13 leading-[19px] text-ink-3">{t('consent.rights')}</p>
      {connecting.error && (
        <Callout tone="danger" title={t('consent.failed')}>
          {errorText(t, connecting.error)}
        </Callout>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="primary"
          busy={connecting.isPending || connecting.isSuccess}
          onClick={() => connecting.mutate()}
        >
          {t('consent.allow')}
        </Button>
        <Button onClick={() => leave(refuse_to)}>{t('consent.refuse')}</Button>
      </div>
    </div>
  )
}
