import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listPromptVersions, type PromptVersion } from '#shared/chat/prompts/prompt-versions.ts'
import type { Prompt } from '#shared/chat/prompts/prompts.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { promptsKey } from '../use-prompts.ts'
import { VersionComparison } from './prompt-comparison.tsx'

type VersionsSectionProps = { prompt: Prompt; onRestored: () => void }

/** The saved versions of a prompt: two can be compared, and an older one restored. */
export function VersionsSection({ prompt: { id, version: newest }, onRestored }: VersionsSectionProps) {
  const { t } = useTranslation('prompts')
  const [chosen, setChosen] = useState<number[]>([])
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: [...promptsKey, 'versions', id],
    queryFn: ({ pageParam: before, signal }) =>
      call(listPromptVersions, { params: { promptId: id }, query: before ? { before } : {}, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ items, has_more }) => (has_more ? items.at(-1)?.version : undefined),
  })
  if (error) return <Callout tone="danger">{errorText(t, error)}</Callout>
  if (!data) return <Skeletons className="grid gap-2" sizes={['h-14 w-full', 'h-14 w-full']} />
  const items = data.pages.flatMap((page) => page.items)
  const usual = items.slice(0, 2).map(({ version }) => version)
  const pair = chosen.length > 0 ? chosen : usual
  const choose = (version: number) =>
    setChosen((before) =>
      before.includes(version) ? before.filter((one) => one !== version) : [...before, version].slice(-2),
    )
  const [a, b] = [...pair].sort((x, y) => x - y)
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
                isOn={pair.includes(one.version)}
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
      {a !== undefined && b !== undefined && (
        <VersionComparison key={`${a} ${b}`} {...{ id, a, b, newest, onRestored }} />
      )}
    </>
  )
}

type RowProps = { version: PromptVersion; isNewest: boolean; isOn: boolean; onChoose: () => void }

function VersionRow({ version: one, isNewest, isOn, onChoose }: RowProps) {
  const { t } = useTranslation('prompts')
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
        <span className="block text-12 text-ink-3">{one.saved_by ?? t('versions.unknown_author')}</span>
      </span>
    </label>
  )
}

function whatChanged({ version, changed, returned_from }: PromptVersion, t: TFunction): string {
  if (returned_from !== null) return t('versions.restored', { number: returned_from })
  if (changed.length > 0) return changed.map((field) => t(`versions.field.${field}`)).join(', ')
  return t(version === 1 ? 'versions.first' : 'versions.same')
}
