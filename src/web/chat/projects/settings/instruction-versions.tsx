import { useInfiniteQuery } from '@tanstack/react-query'
import { beginningOf, diffLines } from '#shared/chat/checkpoints/text-diff.ts'
import { listInstructions, type ProjectDetails } from '#shared/chat/projects/projects.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ChangedLines, useVersionPair, VersionRow } from '../../versions/versions.tsx'
import { projectsKey } from '../use-projects.ts'

type InstructionVersionsProps = {
  project: ProjectDetails
  /** The text in the form. */
  draft: string
  onUse: (text: string) => void
}

/** The versions of the instructions: two can be compared, and a text used again. */
export function InstructionVersions({ project, draft, onUse }: InstructionVersionsProps) {
  const { t } = useTranslation('projects')
  const { id, instructions_version: newest } = project
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: [...projectsKey, 'instructions', id, newest],
    queryFn: ({ pageParam: before, signal }) =>
      call(listInstructions, { params: { workspaceId: id }, query: before ? { before } : {}, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ items, has_more }) => (has_more ? items.at(-1)?.version : undefined),
  })
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const { a, b, isOn, choose } = useVersionPair(items.map(({ version }) => version))
  const textOf = (version: number | null) => items.find((one) => one.version === version)?.text ?? null
  const [older, newer] = [textOf(a), textOf(b)]
  if (newest === 0) return <div />
  return (
    <section aria-labelledby="instruction-versions" className="grid content-start gap-3">
      <h2 id="instruction-versions" className="text-13 font-semibold">
        {t('versions.title')}
      </h2>
      {error && <Callout tone="danger">{errorText(t, error)}</Callout>}
      {!data && !error && <Skeletons className="grid gap-2" sizes={['h-14 w-full', 'h-14 w-full']} />}
      {items.length > 0 && (
        <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-card border border-line">
          {items.map(({ version, created_at, saved_by, is_imported, text }) => (
            <li key={version}>
              <VersionRow
                name={t('instructions.version', { number: version })}
                inUse={version === newest ? t('versions.in_use') : null}
                when={formatDate(created_at, { dateStyle: 'medium', timeStyle: 'short' })}
                change={text.slice(0, 80)}
                author={saved_by ?? t(is_imported ? 'versions.imported' : 'versions.unknown_author')}
                isOn={isOn(version)}
                onChoose={() => choose(version)}
              />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button size="sm" busy={isFetching} onClick={() => void fetchNextPage()}>
          {t('versions.older')}
        </Button>
      )}
      {older !== null && newer !== null && (
        <>
          <ChangedLines
            heading="h3"
            title={t('versions.between', { a, b })}
            lines={diffLines(beginningOf(older), beginningOf(newer))}
          />
          {older !== draft && (
            <Button size="sm" className="justify-self-start" onClick={() => onUse(older)}>
              {t('versions.use', { number: a })}
            </Button>
          )}
        </>
      )}
    </section>
  )
}
