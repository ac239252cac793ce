import { ChevronDown, ListFilter } from 'lucide-react'
import { NO_ASSISTANT, type RequestingAssistant } from '#shared/runs/input-requests/input-requests.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../platform/ui/overlays/menu-entry.ts'
import type { InboxPlace } from './use-inbox.ts'
import { useGo } from './use-inbox-place.ts'

type AssistantChoiceProps = { place: InboxPlace; assistants: readonly RequestingAssistant[] | undefined }

/** Selects whose chats are shown: all, or those of one assistant with requests. */
export function AssistantChoice({ place: { status, assistant }, assistants }: AssistantChoiceProps) {
  const { t } = useTranslation('common')
  const go = useGo()
  const options = (assistants ?? []).map((one) => {
    return { value: one.id ?? NO_ASSISTANT, label: nameOf(t, one), count: one.count }
  })
  const chosen = options.find(({ value }) => value === assistant)?.label ?? '…'
  const label = assistant === null ? t('inbox.all_assistants') : chosen
  const entries: MenuEntry[] = [
    {
      label: t('inbox.all_assistants'),
      checked: assistant === null,
      onSelect: () => go({ status, assistant: null }),
    },
    ...(options.length > 0 ? [{ kind: 'separator' as const }] : []),
    ...options
      .toSorted((a, b) => a.label.localeCompare(b.label))
      .map(({ value, label, count }) => ({
        ...{ key: value, label, end: <span className="num text-ink-3">{formatNumber(count)}</span> },
        ...{ checked: assistant === value, onSelect: () => go({ status, assistant: value }) },
      })),
  ]
  return (
    <Menu
      align="end"
      entries={entries}
      trigger={
        <Button variant="ghost" aria-label={t('inbox.assistant', { name: label })} className="max-md:!px-2.5">
          <ListFilter aria-hidden className="icon md:hidden" />
          <span className="max-w-45 truncate max-md:hidden">{label}</span>
          <ChevronDown aria-hidden className="icon-14 max-md:hidden" />
        </Button>
      }
    />
  )
}

function nameOf(t: TFunction, { id, name }: RequestingAssistant): string {
  return name ?? t(id === null ? 'common:inbox.no_assistant' : 'common:inbox.assistant_gone')
}
