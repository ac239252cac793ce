import { Link } from '@tanstack/react-router'
import { FileJson, LayoutGrid, List, Plus, RotateCcw, Search, Wrench } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Tool, ToolKind } from '#shared/tools/tools/tools.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { Button, buttonLook } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Choice, Segment } from '../../platform/ui/choices/segments.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { View } from '../../platform/ui/view.tsx'
import { useChosenSession } from './chosen-session.ts'
import { useTools } from './look/use-tools.ts'
import { useFound, useToolFilter } from './tool-filter.ts'
import { ToolTile } from './tool-tile.tsx'

/** All tools of this installation. One can be selected for the current chat. */
export function ToolsView() {
  const { t } = useTranslation('tools')
  const { data: tools, isPending, isError, error, refetch } = useTools()
  const filter = useToolFilter()
  const session = useChosenSession()
  const [mayMake, mayConnect] = [useIsOpen('own_tools'), useIsOpen('mcp_servers')]
  useEffect(() => {
    if (isError) void toast.error(t('list_failed'))
  }, [isError, t])
  const found = useFound(tools, filter)
  const search = (q: string) => filter.change({ q })
  return (
    <View
      title={t('title')}
      badges={tools && <span className="num text-13 text-ink-3">{tools.length}</span>}
      actions={
        <>
          <SearchField className="!w-60 max-md:hidden" query={filter.query} onChange={search} />
          {mayMake && (
            <>
              <Link to="/tools/openapi" className={buttonLook()}>
                <FileJson aria-hidden className="icon-14" />
                <span className="max-lg:sr-only">{t('own_tools:openapi.short')}</span>
              </Link>
              <Link to="/tools/create" className={buttonLook({ variant: 'primary' })}>
                <Plus aria-hidden className="icon-14" />
                <span className="max-lg:sr-only">{t('own_tools:add')}</span>
              </Link>
            </>
          )}
        </>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[1120px] px-8 py-6 max-md:px-4">
          <SearchField className="mb-3 !flex md:!hidden" query={filter.query} onChange={search} />
          <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
            <KindChoice tools={tools} kind={filter.kind} onChange={(kind) => filter.change({ kind })} />
            <p className="flex-1 text-13 text-ink-2 max-lg:order-1 max-lg:min-w-full">
              {session ? t('chosen_for', { chat: session.title }) : t('no_chat')}
            </p>
            {mayConnect && (
              <Link to="/tools/servers" className="text-13 font-medium text-accent">
                {t('servers.link')}
              </Link>
            )}
            <LayoutChoice
              isList={filter.isList}
              onChange={(isList) => filter.change({ view: isList ? 'list' : undefined })}
            />
          </div>
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
          {tools && found.length === 0 && <NothingFound query={filter.query.trim()} kind={filter.kind} />}
          <ul
            className={
              filter.isList
                ? 'grid gap-2'
                : 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(280px,(100%-24px)/3)),1fr))] gap-3'
            }
          >
            {found.map((tool) => (
              <ToolTile key={tool.id} tool={tool} session={session} isRow={filter.isList} />
            ))}
          </ul>
        </div>
      </div>
    </View>
  )
}

type SearchFieldProps = { query: string; onChange: (query: string) => void; className: string }

/** Search field that updates immediately; the URL follows with a delay. */
function SearchField({ query, onChange, className }: SearchFieldProps) {
  const { t } = useTranslation('tools')
  const [typed, setTyped] = useState(query)
  const [known, setKnown] = useState(query)
  if (query !== known) {
    setKnown(query)
    if (query.trim() !== typed.trim()) setTyped(query)
  }
  return (
    <Input
      type="search"
      quiet
      icon={<Search aria-hidden />}
      aria-label={t('search')}
      placeholder={t('search_short')}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(target.value)
      }}
      className={className}
    />
  )
}

type KindChoiceProps = {
  tools: readonly Tool[] | undefined
  kind: ToolKind | null
  onChange: (kind: ToolKind | undefined) => void
}

/** Selects all tools or one kind. Kinds without tools are disabled. */
function KindChoice({ tools, kind, onChange }: KindChoiceProps) {
  const { t } = useTranslation('tools')
  return (
    <Choice name={t('kinds.name')}>
      <Segment isOn={kind === null} onClick={() => onChange(undefined)}>
        {t('kinds.all')}
      </Segment>
      {ToolKind.options.map((option) => (
        <Segment
          key={option}
          isOn={kind === option}
          disabled={kind !== option && tools?.every((tool) => tool.kind !== option)}
          onClick={() => onChange(option)}
        >
          {t(`kinds.${option}`)}
        </Segment>
      ))}
    </Choice>
  )
}

function LayoutChoice({ isList, onChange }: { isList: boolean; onChange: (isList: boolean) => void }) {
  const { t } = useTranslation('tools')
  return (
    <span className="ml-auto flex gap-0.5">
      <IconButton
        name={t('as_grid')}
        size="sm"
        on={!isList}
        aria-pressed={!isList}
        onClick={() => onChange(false)}
      >
        <LayoutGrid aria-hidden className="icon-14" />
      </IconButton>
      <IconButton
        name={t('as_list')}
        size="sm"
        on={isList}
        aria-pressed={isList}
        onClick={() => onChange(true)}
      >
        <List aria-hidden className="icon-14" />
      </IconButton>
    </span>
  )
}

function NothingFound({ query, kind }: { query: string; kind: ToolKind | null }) {
  const { t } = useTranslation('tools')
  if (query) return <Nothing title={t('no_hit')}>{t('no_hit_text', { query })}</Nothing>
  if (kind) return <Nothing title={t('kinds.none')}>{t('kinds.none_text')}</Nothing>
  return <Nothing title={t('empty')}>{t('empty_text')}</Nothing>
}

function Nothing({ title, children }: { title: string; children: string }) {
  return (
    <EmptyState icon={<Wrench aria-hidden />} title={title}>
      {children}
    </EmptyState>
  )
}

function TilesSkeleton() {
  const { t } = useTranslation('tools')
  return (
    <div
      role="status"
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(280px,(100%-24px)/3)),1fr))] gap-3"
    >
      <span className="sr-only">{t('loading')}</span>
      <Delayed>
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} className="h-[116px] rounded-card" />
        ))}
      </Delayed>
    </div>
  )
}
