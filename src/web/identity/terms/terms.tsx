import { useMutation, useQuery } from '@tanstack/react-query'
import { acceptTerms, type DueTerms, listDueTerms } from '#shared/identity/terms/terms.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { refetchMe } from '../../platform/lib/me/me.ts'
import { signOut } from '../../platform/lib/me/sign-out.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Mark } from '../../platform/ui/mark.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'

const key = ['due-terms']

/** Shows new terms of the person's companies, which are accepted before anything else. */
export function TermsPage() {
  const { t } = useTranslation('common')
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(listDueTerms, { signal }),
  })
  const accepting = useMutation({
    mutationFn: (terms_ids: string[]) => call(acceptTerms, { body: { terms_ids } }),
    onSettled: () => Promise.all([queryClient.invalidateQueries({ queryKey: key }), refetchMe()]),
  })
  const failure = error ?? accepting.error
  return (
    <main className="mx-auto grid min-h-dvh max-w-180 content-center gap-5 px-4 py-10">
      <title>{`${t('terms.title')} · ${t('app_name')}`}</title>
      <div>
        <Mark />
        <h1 className="mt-5 mb-1 text-22 font-semibold tracking-[-0.02em]">{t('terms.title')}</h1>
        <p className="text-ink-2">{t('terms.text')}</p>
      </div>
      {!data && !error && <Skeletons className="grid gap-2" sizes={['h-8', 'h-40']} />}
      {data?.items.map((terms) => (
        <Terms key={terms.id} terms={terms} />
      ))}
      {failure && (
        <Callout
          tone="danger"
          action={
            error && (
              <Button size="sm" onClick={() => void refetch()}>
                {t('actions.retry')}
              </Button>
            )
          }
        >
          {errorText(t, failure)}
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          size="lg"
          disabled={!data}
          busy={accepting.isPending}
          onClick={() => data && accepting.mutate(data.items.map(({ id }) => id))}
        >
          {t('terms.accept')}
        </Button>
        <Button size="lg" onClick={() => void signOut()}>
          {t('user.log_out')}
        </Button>
      </div>
    </main>
  )
}

function Terms({ terms: { company, version, text_en, text_fr, published_at } }: { terms: DueTerms }) {
  const { t, i18n } = useTranslation('common')
  const name = t('terms.name', { company, version })
  return (
    <section aria-label={name} className="rounded-card border border-line bg-raised">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line px-4 py-2.5">
        <h2 className="font-medium">{name}</h2>
        <span className="text-12 text-ink-3">{formatDate(published_at, { dateStyle: 'long' })}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard. */}
      <div tabIndex={0} className="max-h-[50dvh] overflow-y-auto px-4 py-3 break-words whitespace-pre-wrap">
        {i18n.language.startsWith('fr') ? text_fr : text_en}
      </div>
    </section>
  )
}
