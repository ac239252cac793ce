import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { type AssistantVersion, listAssistantVersions } from '#shared/chat/assistants/versions.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { VersionComparison } from './version-comparison.tsx'

type SectionProps = { assistant: Assistant; onReturned: () => void }

/** The saved versions of the assistant: two can be compared, and an older one restored. */
export function VersionsSection({ assistant: { id, updated_at }, onReturned }: SectionProps) {
  const { t } = useTranslation('assistant')
  const { data, error, isError, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['assistants', 'versions', id, updated_at],
    queryFn: ({ pageParam: before, signal }) =>
      call(listAssistantVersions, {
        ...{ params: { assistantId: id }, query: before === null ? {} : { before }, signal },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.has_more ? last.items.at(-1)?.version : undefined),
  })
  const [chosen, setChosen] = useState<number[]>([])
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const newest = items[0]?.version ?? null
  // By default the newest is compared with the one before it.
  const pair = chosen.length === 2 ? chosen : items.slice(0, 2).map(({ version }) => version)
  const [b = null, a = null] = [...pair].sort((one, other) => other - one)
  const choose = (version: number) =>
    setChosen((now) =>
      now.includes(version) ? now.filter((one) => one !== version) : [...now, version].slice(-2),
    )
  if (isError)
    return (
      <Callout
        tone="danger"
        action={
          <Button size="sm" onClick={() => void refetch()}>
            {t('common:actions.retry')}
          </Button>
        }
      >
        {errorText(t, error)}
      </Callout>
    )
  if (!data) return <Skeletons className="grid gap-2" sizes={['h-14 w-full', 'h-14 w-full', 'h-14 w-full']} />
  const isOn = (version: number) => (chosen.length > 0 ? chosen : pair).includes(version)
  return (
    <>
      <fieldset>
        <legend className="mb-2 text-13 text-ink-2">{t('versions.pick')}</legend>
        <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-card border border-line">
          {items.map((one) => (
            <li key={one.version}>
              <VersionRow
                version={one}
                isNewest={one.version === newest}
                isOn={isOn(one.version)}
                onChoose={() => choose(one.version)}
              />
            </li>
          ))}
        </ul>
      </fieldset>
      {hasNextPage && (
        <Button size="sm" busy={isFetching} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {a !== null && b !== null && newest !== null && (
        <VersionComparison key={`${a} ${b}`} {...{ id, a, b, newest, onReturned }} />
      )}
    </>
  )
}

type RowProps = { version: AssistantVersion; isNewest: boolean; isOn: boolean; onChoose: () => void }

function VersionRow({ version: one, isNewest, isOn, onChoose }: RowProps) {
  const { t } = useTranslation('assistant')
  return (
    <label className={`flex cursor-pointer gap-3 px-3.5 py-2.5 text-13 ${isOn ? 'bg-accent-soft' : ''}`}>
      <input type="checkbox" className="mt-1 accent-accent" checked={isOn} onChange={onChoose} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <b className="num font-medium">{t('versions.one', { number: one.version })}</b>
          {isNewest && <Badge tone="line">{t('versions.in_use')}</Badge>}
          <span className="ml-auto text-12 text-ink-3">
            {formatDate(one.created_at, { dateStyle: 'medium', timeStyle: 'short' })}
          </span>
        </span>
        <span className="block text-ink-2">{whatChanged(one, t)}</span>
        <span className="block text-12 text-ink-3">{one.saved_by ?? t('versions.somebody')}</span>
      </span>
    </label>
  )
}

function whatChanged({ version, changed, returned_from }: AssistantVersion, t: TFunction): string {
  if (returned_from !== null) return t('versions.returned', { number: returned_from })
  if (changed.length > 0) return changed.map((field) => t(`versions.field.${field}`)).join(', ')
  return t(version === 1 ? 'versions.first' : 'versions.same')
}
