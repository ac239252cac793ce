import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useEffect } from 'react'
import { wearBrand } from '../../identity/branding/branding.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useSessionExpired } from '../../platform/lib/me/session-expired.ts'
import { useKeptVisit } from '../../platform/lib/visit/visit.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { openVisit } from './begin-visit.ts'
import { Closed } from './closed.tsx'
import { EmbeddedChat } from './embedded-chat.tsx'
import { readLook } from './look.ts'
import './embeds.css'

/** An embedded or standalone assistant for visitors, who have no account. */
export function EmbeddedPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <Embedded />
    </QueryClientProvider>
  )
}

function Embedded() {
  const { t } = useTranslation('embeds')
  const look = readLook(location.search)
  const token = useKeptVisit()?.token ?? null
  const isOver = useSessionExpired((state) => state.isExpired)
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: ['visit', token],
    queryFn: ({ signal }) => openVisit(signal),
    ...{ retry: 1, staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY },
  })
  const title = look.title ?? data?.assistant.name ?? t('common:app_name')
  useEffect(() => {
    if (!isPending) void wearBrand(data?.brand ?? null)
  }, [isPending, data?.brand])
  useEffect(() => {
    document.title = title
  }, [title])
  if (isPending) return <Loader text={t('common:loading')} />
  if (isError)
    return (
      <main className="embedded small-chat">
        <div className="shut">
          <p className="mb-3 text-14 text-ink-2">{t('chat.unreachable')}</p>
          <Button icon={<RotateCcw aria-hidden className="icon" />} onClick={() => void refetch()}>
            {t('chat.retry')}
          </Button>
        </div>
      </main>
    )
  if (!data || isOver) return <Closed />
  return <EmbeddedChat visit={data} look={{ ...look, title }} />
}
