import { useQuery } from '@tanstack/react-query'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { type AssistantVersion, listAssistantVersions } from '#shared/chat/assistants/versions.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import type { Edits } from './draft.ts'

type SavedMeanwhileProps = {
  assistant: Assistant
  /** The version on which the form's edits are based. */
  version: number
  changes: Edits
  onCatchUp: (without: readonly string[]) => void
  onCompare: () => void
}

/** Shows a concurrent save with its author and changes, and lets the person resolve conflicts. */
export function SavedMeanwhile({ assistant, version, changes, onCatchUp, onCompare }: SavedMeanwhileProps) {
  const { t } = useTranslation('assistant')
  const { data } = useQuery({
    queryKey: ['assistants', 'since', assistant.id, version, assistant.version],
    queryFn: ({ signal }) =>
      call(listAssistantVersions, { params: { assistantId: assistant.id }, query: { limit: 100 }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const since = data?.items.filter((one) => one.version > version) ?? []
  // Versions that are no longer stored may have changed anything.
  const isWhole = since.length === assistant.version - version
  const theirs = isWhole ? fieldsOf(since) : Object.keys(changes)
  const both = theirs.filter((field) => field in changes)
  const nameOf = (field: string) => t(`versions.field.${field as keyof Edits}`)
  const who = [...new Set(since.map(({ saved_by }) => saved_by ?? t('versions.somebody')))].join(', ')
  return (
    <Callout
      tone="warning"
      className="mt-4"
      title={t('meanwhile.title', { name: who || t('versions.somebody'), version: assistant.version })}
      action={
        <span className="flex flex-wrap gap-2">
          <Button size="sm" disabled={!data} onClick={() => onCatchUp([])}>
            {t(both.length > 0 ? 'meanwhile.keep_mine' : 'meanwhile.go_on')}
          </Button>
          {both.length > 0 && (
            <Button size="sm" onClick={() => onCatchUp(both)}>
              {t('meanwhile.take_theirs')}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={onCompare}>
            {t('meanwhile.compare')}
          </Button>
        </span>
      }
    >
      {both.length > 0
        ? t('meanwhile.both', { fields: both.map(nameOf).join(', ') })
        : t('meanwhile.neither', { fields: theirs.map(nameOf).join(', ') || '–' })}
    </Callout>
  )
}

const fieldsOf = (versions: readonly AssistantVersion[]): string[] => [
  ...new Set(versions.flatMap(({ changed }) => changed)),
]
