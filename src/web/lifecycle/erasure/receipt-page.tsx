import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Download, FileX2 } from 'lucide-react'
import {
  RECEIPT_DAYS,
  type Receipt,
  readReceipt,
  readReceiptFile,
} from '#shared/lifecycle/erasure/erasure.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { currentLanguage, useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call, openRoute } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { saveFile } from '../../platform/ui/files/save-file.ts'
import { Mark } from '../../platform/ui/mark.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { CountsList } from './counts-list.tsx'

/** Poll interval while a deletion is running. */
const LOOK_MS = 3_000

/** Receipt of an account deletion. The link works without sign-in. */
export function ReceiptPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <Shown />
    </QueryClientProvider>
  )
}

function Shown() {
  const { t } = useTranslation('erasure')
  const { token } = useParams({ strict: false }) as { token: string }
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['receipt', token],
    queryFn: ({ signal }) => call(readReceipt, { params: { token }, signal, quiet: true }),
    refetchInterval: ({ state }) => (state.data && !state.data.finished_at ? LOOK_MS : false),
    retry: false,
  })
  if (isPending) return <Loader text={t('common:loading')} />
  if (!data) return <Missing error={error} onRetry={() => void refetch()} />
  return (
    <main className="mx-auto w-full max-w-[528px] flex-1 px-4 pt-8 pb-16">
      <Mark />
      <h1 className="mt-5 mb-2 text-28 leading-[34px] font-medium tracking-[-0.025em]">
        {t('receipt.title')}
      </h1>
      <Times receipt={data} />
      <h2 className="text-13 font-semibold">{t('receipt.deleted')}</h2>
      <div className="mt-2 mb-7">
        <CountsList counts={data.counts} />
      </div>
      <h2 className="text-13 font-semibold">{t('receipt.stays')}</h2>
      <ul className="mt-1 mb-7 list-disc pl-5 text-13 leading-[19px] text-ink-2">
        {(['stays_audit', 'stays_sums', 'stays_copies', 'stays_backups'] as const).map((key) => (
          <li key={key}>{t(`receipt.${key}`)}</li>
        ))}
      </ul>
      <Kept token={token} />
    </main>
  )
}

function Times({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation('erasure')
  const at = (moment: string) => formatDate(moment, { dateStyle: 'long', timeStyle: 'short' })
  const { asked_by, requested_at, finished_at, due_at, id } = receipt
  return (
    <>
      <p className="text-13 leading-[19px] text-ink-3">
        {t('receipt.number', { id })}
        <br />
        {t(`receipt.asked.${asked_by}`, { date: at(requested_at) })}
      </p>
      <Callout tone={finished_at ? 'success' : 'accent'} className="mt-3 mb-7">
        {t(finished_at ? 'page.done' : 'page.under_way')}{' '}
        {finished_at
          ? t('receipt.finished', { date: at(finished_at) })
          : t('receipt.due', { date: at(due_at) })}
      </Callout>
    </>
  )
}

function Kept({ token }: { token: string }) {
  const { t } = useTranslation('erasure')
  const saving = useMutation({
    mutationFn: async () => {
      const wish = { params: { token }, query: { language: currentLanguage() } }
      saveFile(await (await openRoute(readReceiptFile, wish)).blob(), 'atrium-receipt.txt')
    },
  })
  return (
    <div className="grid justify-items-start gap-3">
      <Button
        busy={saving.isPending}
        icon={<Download aria-hidden className="icon" />}
        onClick={() => saving.mutate()}
      >
        {t('page.download')}
      </Button>
      {saving.isError && <Callout tone="danger">{errorText(t, saving.error)}</Callout>}
      <p className="text-12 text-ink-3">{t('page.kept', { days: RECEIPT_DAYS })}</p>
      <a href="/login" className="text-14 text-ink-2">
        {t('page.home')}
      </a>
    </div>
  )
}

function Missing({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const { t } = useTranslation('erasure')
  const isGone = isApiError(error, 404)
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={<FileX2 aria-hidden />}
        title={t(isGone ? 'page.missing' : 'page.failed')}
        action={isGone ? undefined : <Button onClick={onRetry}>{t('page.retry')}</Button>}
      >
        {isGone ? t('page.missing_reason') : null}
      </EmptyState>
    </main>
  )
}
