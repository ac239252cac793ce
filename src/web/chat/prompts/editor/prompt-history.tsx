import { useInfiniteQuery } from '@tanstack/react-query'
import { listPromptVersions, type PromptVersion } from '#shared/chat/prompts/prompt-versions.ts'
import type { Prompt } from '#shared/chat/prompts/prompts.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { useVersionPair, VersionRow } from '../../versions/versions.tsx'
import { promptsKey } from '../use-prompts.ts'
import { VersionComparison } from './prompt-comparison.tsx'

type VersionsSectionProps = { prompt: Prompt; onRestored: () => void }

/** The saved versions of a prompt: two can be compared, and an older one restored. */
export function VersionsSection({ prompt: { id, version: newest }, onRestored }: VersionsSectionProps) {
  const { t } = useTranslation('prompts')
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: [...promptsKey, 'versions', id],
    queryFn: ({ pageParam: before, signal }) =>
      call(listPromptVersions, { params: { promptId: id }, query: before ? { before } : {}, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ items, has_more }) => (has_more ? items.at(-1)?.version : undefined),
  })
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const { a, b, isOn, choose } = useVersionPair(items.map(({ version }) => version))
  if (error) return <Callout tone="danger">{errorText(t, error)}</Callout>
  if (!data) return <Skeletons className="grid gap-2" sizes={['h-14 w-full', 'h-14 w-full']} />
  return (
    <>
      <fieldset>
        <legend className="mb-2 text-13 text-ink-2">{t('versions.pick')}</legend>
        <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-card border border-line">
          {items.map((one) => (
            <li key={one.version}>
              <VersionRow
                name={t('versions.one', { number: one.version })}
                inUse={one.version === newest ? t('versions.in_use') : null}
                when={formatDate(one.created_at, { dateStyle: 'medium', timeStyle: 'short' })}
                change={whatChanged(one, t)}
                author={one.saved_by ?? t('versions.unknown_author')}
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
      {a !== null && b !== null && (
        <VersionComparison key={`${a} ${b}`} {...{ id, a, b, newest, onRestored }} />
      )}
    </>
  )
}

function whatChanged({ version, changed, returned_from }: PromptVersion, t: TFunction): string {
  if (returned_from !== null) return t('versions.restored', { number: returned_from })
  if (changed.length > 0) return changed.map((field) => t(`versions.field.${field}`)).join(', ')
  return t(version === 1 ? 'versions.first' : 'versions.same')
}
