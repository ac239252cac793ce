import { QueryClientProvider, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Clock, Copy, Link2Off, Lock, Moon, Sun } from 'lucide-react'
import { useEffect } from 'react'
import { copyShared, readShared, readSharedMessages, type SharedChat } from '#shared/chat/shares/shares.ts'
import { wearBrand } from '../../identity/branding/branding.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { currentLanguage, useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { getToken } from '../../platform/lib/me/token.ts'
import { setDark, useDark } from '../../platform/lib/theme.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Mark } from '../../platform/ui/mark.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { SharedFiles } from './shared-files.tsx'
import { SharedMessages } from './shared-messages.tsx'

/** The page of a share link, without an account. */
export function SharedPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <Shared />
    </QueryClientProvider>
  )
}

function Shared() {
  const { t } = useTranslation('exports')
  const { token } = useParams({ strict: false }) as { token: string }
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useShared(token)
  const [first] = data?.pages ?? []
  const chat: SharedChat | null = first && isHead(first) ? first : null
  useHead(chat?.title ?? null)
  useEffect(() => {
    if (!isPending) void wearBrand(chat?.brand ?? null)
  }, [isPending, chat?.brand])
  if (isPending) return <Loader text={t('common:loading')} />
  if (!chat) return <Gone isEnded={isApiError(error, 404)} onRetry={() => void refetch()} />
  return (
    <div className="flex min-h-dvh flex-col">
      <Bar token={token} chat={chat} />
      <main className="mx-auto w-full max-w-[960px] flex-1 px-4 pt-8 pb-16">
        <h1 dir="auto" className="text-28 font-semibold tracking-[-0.022em] wrap-anywhere">
          {chat.title}
        </h1>
        <p className="mt-2 mb-7 flex flex-wrap gap-x-4 gap-y-1 text-13 text-ink-2">
          <span className="inline-flex items-center gap-1.5">
            <Lock aria-hidden className="icon-14" />
            {t('shared.as_of', {
              date: formatDate(chat.created_at, { dateStyle: 'long', timeStyle: 'short' }),
            })}
          </span>
          {chat.expires_at && (
            <span className="inline-flex items-center gap-1.5">
              <Clock aria-hidden className="icon-14" />
              {t('shared.until', { date: formatDate(chat.expires_at, { dateStyle: 'long' }) })}
            </span>
          )}
        </p>
        <SharedMessages token={token} messages={data?.pages.flatMap(({ messages }) => messages) ?? []} />
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('shared.more')}
          </Button>
        )}
        {chat.files.length > 0 && <SharedFiles token={token} files={chat.files} />}
      </main>
    </div>
  )
}

type Page = Awaited<ReturnType<typeof call<typeof readSharedMessages>>>
const isHead = (page: Page | SharedChat): page is SharedChat => 'title' in page

function useShared(token: string) {
  const language = currentLanguage()
  return useInfiniteQuery({
    queryKey: ['shared', token, language],
    queryFn: ({ pageParam, signal }): Promise<Page | SharedChat> =>
      pageParam === 0
        ? call(readShared, { params: { token }, query: { language }, signal, quiet: true })
        : call(readSharedMessages, {
            params: { token },
            query: { language, skip: pageParam },
            ...{ signal, quiet: true },
          }),
    initialPageParam: 0,
    getNextPageParam: ({ has_more }, pages) =>
      has_more ? pages.reduce((sum, { messages }) => sum + messages.length, 0) : undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Sets the title, and excludes the page from search engines. */
function useHead(title: string | null) {
  const { t } = useTranslation('common')
  useEffect(() => {
    document.title = title === null ? t('app_name') : `${title} · ${t('app_name')}`
    const robots = Object.assign(document.createElement('meta'), { name: 'robots', content: 'noindex' })
    document.head.append(robots)
    return () => robots.remove()
  }, [title, t])
}

function Bar({ token, chat }: { token: string; chat: SharedChat }) {
  const { t } = useTranslation('exports')
  const isDark = useDark()
  return (
    <header className="sticky top-0 z-(--z-sticky) border-b border-line bg-bg">
      <div className="mx-auto flex h-13 max-w-[960px] items-center gap-2.5 px-4">
        <Mark />
        <span className="text-15 font-semibold max-sm:sr-only">{t('common:app_name')}</span>
        <span className="min-w-0 flex-1 truncate text-13 text-ink-2">
          {t('shared.by', { name: chat.shared_by })}
        </span>
        <IconButton
          name={t(isDark ? 'common:theme.to_light' : 'common:theme.to_dark')}
          onClick={() => setDark(!isDark)}
        >
          {isDark ? <Sun aria-hidden className="icon" /> : <Moon aria-hidden className="icon" />}
        </IconButton>
        {getToken() ? (
          <CopyAction token={token} />
        ) : (
          <a href="/login" className="px-2 text-14 text-ink-2">
            {t('shared.log_in')}
          </a>
        )}
      </div>
    </header>
  )
}

/** Copies the chat to the signed-in user's account. */
function CopyAction({ token }: { token: string }) {
  const { t } = useTranslation('exports')
  const copying = useMutation({
    mutationFn: () => call(copyShared, { params: { token } }),
    onSuccess: ({ session_id }) => window.location.assign(`/chat/${session_id}`),
  })
  return (
    <>
      <Button
        variant="primary"
        busy={copying.isPending}
        icon={<Copy aria-hidden className="icon" />}
        aria-label={t('shared.copy')}
        onClick={() => copying.mutate()}
      >
        <span className="max-sm:hidden">{t('shared.copy')}</span>
      </Button>
      {copying.isError && (
        <Callout tone="danger" className="absolute top-full right-4 mt-2">
          {errorText(t, copying.error)}
        </Callout>
      )}
    </>
  )
}

function Gone({ isEnded, onRetry }: { isEnded: boolean; onRetry: () => void }) {
  const { t } = useTranslation('exports')
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={<Link2Off aria-hidden />}
        title={t(isEnded ? 'shared.ended' : 'shared.load_failed')}
        action={isEnded ? undefined : <Button onClick={onRetry}>{t('list.retry')}</Button>}
      >
        {isEnded ? t('shared.ended_reason') : null}
      </EmptyState>
    </main>
  )
}
