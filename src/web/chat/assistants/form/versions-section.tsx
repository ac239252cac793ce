import { useInfiniteQuery } from '@tanstack/react-query'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { type AssistantVersion, listAssistantVersions } from '#shared/chat/assistants/versions.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { useVersionPair, VersionRow } from '../../versions/versions.tsx'
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
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const newest = items[0]?.version ?? null
  const { a, b, isOn, choose } = useVersionPair(items.map(({ version }) => version))
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
                author={one.saved_by ?? t('versions.somebody')}
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

function whatChanged({ version, changed, returned_from }: AssistantVersion, t: TFunction): string {
  if (returned_from !== null) return t('versions.returned', { number: returned_from })
  if (changed.length > 0) return changed.map((field) => t(`versions.field.${field}`)).join(', ')
  return t(version === 1 ? 'versions.first' : 'versions.same')
}
