import { Link, useNavigate } from '@tanstack/react-router'
import { Bot, Plus, RotateCcw, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { View } from '../../../platform/ui/view.tsx'
import { groupAssistants } from '../assistant-list.ts'
import { DeleteAssistant } from '../delete-assistant.tsx'
import { MoreButton } from '../more-button.tsx'
import { ImportButton, type Imported } from '../transfer.tsx'
import { useAssistants } from '../use-assistants.ts'
import { AssistantCard } from './assistant-card.tsx'
import { kindOf, kinds, useListFilter } from './list-filter.ts'

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(290px,(100%-32px)/3)),1fr))] gap-4'

/** The assistants a person may use, and a link to create one. */
export function AssistantsView() {
  const { t } = useTranslation('assistant')
  const { data, isError, refetch, more } = useAssistants()
  const { query, kind, change } = useListFilter()
  const [doomed, setDoomed] = useState<ListedAssistant | null>(null)
  useEffect(() => {
    if (isError) void toast.error(t('said.list_failed'))
  }, [isError, t])
  const navigate = useNavigate()
  const mayCreate = useIsOpen('create_assistant')
  const [imported, setImported] = useState<Imported | null>(null)
  const note = (next: Imported) => {
    const isWhole = 'assistantId' in next && next.without === ''
    setImported(isWhole ? null : next)
    if (isWhole) void navigate({ to: '/assistant/$assistantId/edit/{-$section}', params: next })
  }
  const search = (q: string) => change({ q: q.trim() ? q : undefined })
  const ofKind = data?.filter((one) => kind === null || kindOf(one) === kind) ?? []
  const found = groupAssistants(ofKind, query).flatMap(({ assistants }) => assistants)
  return (
    <View
      title={t('title')}
      badges={data && <span className="num text-13 text-ink-3">{data.length}</span>}
      actions={
        <>
          <SearchField className="!w-60 max-md:hidden" query={query} onChange={search} />
          {mayCreate && (
            <>
              <ImportButton onImported={note} />
              <NewLink />
            </>
          )}
        </>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[1120px] px-8 py-6 max-md:px-4">
          <SearchField className="mb-3 !flex md:!hidden" query={query} onChange={search} />
          {imported && <ImportNotice imported={imported} />}
          <Choice name={t('from')}>
            <Segment isOn={kind === null} onClick={() => change({ from: undefined })}>
              {t('all')}
            </Segment>
            {kinds.map((option) => (
              <Segment key={option} isOn={kind === option} onClick={() => change({ from: option })}>
                {t(`from_${option}`)}
              </Segment>
            ))}
          </Choice>
          <div className="mt-4">
            {!data && !isError && <CardsSkeleton />}
            {!data && isError && <Failed onRetry={() => void refetch()} />}
            {data && (
              <ul className={grid}>
                {found.map((one) => (
                  <AssistantCard key={one.id} assistant={one} onDelete={() => setDoomed(one)} />
                ))}
                {mayCreate && !query && kind !== 'built_in' && kind !== 'shared' && <NewCard />}
              </ul>
            )}
            {data && found.length === 0 && (query || kind === 'shared') && (
              <EmptyState
                icon={<Bot aria-hidden />}
                title={query ? t('no_hit', { query }) : t('none_shared')}
              >
                {query ? undefined : t('none_shared_text')}
              </EmptyState>
            )}
            {more && <MoreButton more={more} />}
          </div>
        </div>
      </div>
      <DeleteAssistant assistant={doomed} onClose={() => setDoomed(null)} />
    </View>
  )
}

/** Shows why a file was not imported, or which parts are missing. */
function ImportNotice({ imported }: { imported: Imported }) {
  const { t } = useTranslation('assistant')
  if ('trouble' in imported)
    return (
      <Callout tone="danger" className="mb-3">
        {imported.trouble}
      </Callout>
    )
  return (
    <Callout
      tone="warning"
      className="mb-3"
      title={t('transfer.imported_without')}
      action={
        <Link
          to="/assistant/$assistantId/edit/{-$section}"
          params={imported}
          className={buttonLook({ size: 'sm' })}
        >
          {t('edit')}
        </Link>
      }
    >
      {imported.without}
    </Callout>
  )
}

function NewLink() {
  const { t } = useTranslation('assistant')
  return (
    <Link
      to="/assistant/create"
      data-tour="new-assistant"
      className={buttonLook({ variant: 'primary' })}
      aria-label={t('new')}
    >
      <Plus aria-hidden className="icon" />
      <span className="max-md:sr-only">{t('new')}</span>
    </Link>
  )
}

function NewCard() {
  const { t } = useTranslation('assistant')
  return (
    <li>
      <Link
        to="/assistant/create"
        className="flex h-full min-h-[186px] flex-col items-center justify-center gap-1 rounded-card border border-dashed border-line-strong p-4 text-center hover-motion hover:bg-surface"
      >
        <span className="mb-2 inline-grid size-10 place-items-center rounded-card bg-surface-2 text-ink-2">
          <Plus aria-hidden className="icon-18" />
        </span>
        <span className="text-14 font-medium">{t('new')}</span>
        <span className="text-13 text-ink-2">{t('new_note')}</span>
      </Link>
    </li>
  )
}

type SearchFieldProps = { query: string; onChange: (query: string) => void; className: string }

/** Typed text shows immediately; the address follows. */
function SearchField({ query, onChange, className }: SearchFieldProps) {
  const { t } = useTranslation('assistant')
  const [typed, setTyped] = useState(query)
  return (
    <Input
      type="search"
      quiet
      icon={<Search aria-hidden />}
      aria-label={t('search')}
      placeholder={t('search')}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(target.value)
      }}
      className={className}
    />
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('assistant')
  return (
    <Callout
      tone="danger"
      title={t('said.list_failed')}
      action={
        <Button size="sm" icon={<RotateCcw aria-hidden className="icon-14" />} onClick={onRetry}>
          {t('common:actions.retry')}
        </Button>
      }
    />
  )
}

function CardsSkeleton() {
  const { t } = useTranslation('assistant')
  return (
    <div role="status" className={grid}>
      <span className="sr-only">{t('loading')}</span>
      <Delayed>
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} className="h-[186px] rounded-card" />
        ))}
      </Delayed>
    </div>
  )
}
