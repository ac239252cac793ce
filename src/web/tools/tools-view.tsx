import { RotateCcw, Search, Wrench } from 'lucide-react'
import { useEffect, useState } from 'react'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Input } from '../ui/input.tsx'
import { Delayed, Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toasts.ts'
import { View } from '../ui/view.tsx'
import { useChosenSession } from './chosen-session.ts'
import { useNameOf } from './tool-texts.tsx'
import { ToolTile } from './tool-tile.tsx'
import { useTools } from './use-tools.ts'

/** Every tool of this installation; one of them can be chosen for the current chat. */
export function ToolsView() {
  const { t } = useTranslation('tools')
  const { data: tools, isPending, isError, error, refetch } = useTools()
  const [query, setQuery] = useState('')
  const session = useChosenSession()
  const nameOf = useNameOf()
  useEffect(() => {
    if (isError) void toast.error(t('list_failed'), { id: 'tools' })
  }, [isError, t])
  const words = query.trim().toLowerCase()
  const shown = tools?.filter((tool) => `${nameOf(tool)} ${tool.name}`.toLowerCase().includes(words)) ?? []
  return (
    <View
      title={t('title')}
      badges={tools && <span className="num text-13 text-ink-3">{tools.length}</span>}
      actions={
        <Input
          type="search"
          quiet
          icon={<Search aria-hidden />}
          aria-label={t('search')}
          placeholder={t('search')}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          className="!w-60 max-md:!w-36"
        />
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[1120px] px-8 py-6 max-md:px-4">
          <p className="mb-4 text-13 text-ink-2">
            {session ? t('chosen_for', { chat: session.title }) : t('no_chat')}
          </p>
          {isPending && <TilesSkeleton />}
          {isError && !tools && (
            <Callout
              tone="danger"
              title={t('list_failed')}
              action={
                <Button
                  size="sm"
                  icon={<RotateCcw aria-hidden className="icon-14" />}
                  onClick={() => void refetch()}
                >
                  {t('common:actions.retry')}
                </Button>
              }
            >
              {errorText(t, error)}
            </Callout>
          )}
          {tools && shown.length === 0 && (
            <EmptyState icon={<Wrench aria-hidden />} title={t(words ? 'no_hit' : 'empty')}>
              {words ? t('no_hit_text', { query: query.trim() }) : t('empty_text')}
            </EmptyState>
          )}
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(280px,100%),1fr))] gap-3">
            {shown.map((tool) => (
              <ToolTile key={tool.id} tool={tool} session={session} />
            ))}
          </ul>
        </div>
      </div>
    </View>
  )
}

function TilesSkeleton() {
  const { t } = useTranslation('tools')
  return (
    <div role="status" className="grid grid-cols-[repeat(auto-fill,minmax(min(280px,100%),1fr))] gap-3">
      <span className="sr-only">{t('loading')}</span>
      <Delayed>
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} className="h-[124px] rounded-card" />
        ))}
      </Delayed>
    </div>
  )
}
