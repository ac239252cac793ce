import { X } from 'lucide-react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ToolRow, UnavailableTool, useNameOf, useTools } from '../../../tools/tools/tools.ts'
import type { SectionProps } from './draft.ts'
import { NewerVersions } from './newer-versions.tsx'

/** The tools of the assistant: all tools including future ones, or a selection. */
export function ToolsSection({ draft, change, assistant }: SectionProps & { assistant: Assistant | null }) {
  const { t } = useTranslation(['assistant', 'tool_ui'])
  const { data: tools, isError } = useTools()
  const nameOf = useNameOf()
  const all = tools?.map(({ id }) => id) ?? []
  const chosen = draft.tools ?? all
  const set = (next: string[]) => change({ tools: next })
  const toggle = (id: string, isOn: boolean) =>
    set(isOn ? [...chosen, id] : chosen.filter((other) => other !== id))
  const lost = tools ? chosen.filter((id) => !all.includes(id)) : []
  return (
    <>
      {assistant && tools && <NewerVersions {...{ assistant, tools }} />}
      <Switch
        checked={draft.tools === null}
        onCheckedChange={(isAll) => change({ tools: isAll ? null : all })}
        label={
          <>
            <span className="text-13 font-medium">{t('tools.all')}</span>{' '}
            <span className="text-12 text-ink-3">{t('tools.all_note')}</span>
          </>
        }
      />
      {!tools && isError && <p className="text-13 text-ink-2">{t('tools.failed')}</p>}
      {!tools && !isError && <Skeletons sizes={['h-13 w-full', 'h-13 w-full', 'h-13 w-full']} />}
      {tools && (
        <ul className="divide-y divide-line rounded-card border border-line">
          {tools.map((tool) => (
            <ToolRow key={tool.id} tool={tool}>
              <Switch
                aria-label={t('tools.use', { tool: nameOf(tool) })}
                checked={chosen.includes(tool.id)}
                disabled={draft.tools === null}
                onCheckedChange={(isOn) => toggle(tool.id, isOn)}
              />
            </ToolRow>
          ))}
          {lost.map((id) => (
            <UnavailableTool key={id} id={id}>
              <IconButton
                name={t('tools.remove', { tool: id.slice(0, 8) })}
                onClick={() => toggle(id, false)}
              >
                <X aria-hidden className="icon" />
              </IconButton>
            </UnavailableTool>
          ))}
        </ul>
      )}
    </>
  )
}
