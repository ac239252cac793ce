import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { listEmbeds } from '#shared/chat/embeds/embeds.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Delayed, Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { EmbedList } from './embed-list.tsx'
import { NewEmbed } from './new-embed.tsx'
import { Snippet } from './snippet.tsx'

/** Embedding of an assistant: its tokens, and the snippet. */
export function EmbedSection({ assistant: { id, name } }: { assistant: Assistant }) {
  const { t } = useTranslation('embeds')
  const [isMaking, setMaking] = useState(false)
  const [token, setToken] = useState<string | null>(null)
  const embeds = useQuery({
    queryKey: ['embeds', id],
    queryFn: ({ signal }) => call(listEmbeds, { params: { assistantId: id }, signal }),
  })
  const read = () => void embeds.refetch()
  return (
    <>
      <header className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-16 font-semibold">{t('tokens.title')}</h2>
          <p className="mt-1 text-13 leading-[19px] text-ink-3">{t('tokens.reason')}</p>
        </div>
        <Button icon={<Plus aria-hidden className="icon" />} onClick={() => setMaking(true)}>
          {t('tokens.new')}
        </Button>
      </header>
      {embeds.isPending && (
        <Delayed>
          <Skeleton className="h-14 rounded-card" />
        </Delayed>
      )}
      {embeds.isError && (
        <Callout
          tone="danger"
          title={t('tokens.load_failed')}
          action={
            <Button size="sm" onClick={read}>
              {t('chat.retry')}
            </Button>
          }
        >
          {errorText(t, embeds.error)}
        </Callout>
      )}
      {embeds.data?.length === 0 && <p className="text-13 text-ink-2">{t('tokens.empty')}</p>}
      {embeds.data && embeds.data.length > 0 && (
        <EmbedList assistantId={id} items={embeds.data} onChanged={read} />
      )}
      <Snippet name={name} token={token} />
      {isMaking && (
        <NewEmbed
          assistantId={id}
          onMade={(made) => {
            setToken(made)
            setMaking(false)
            read()
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  )
}
