import { useRef } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { MoreWorkspaces, WorkspacesFailed } from './more-workspaces.tsx'
import { useWorkspaces } from './use-workspaces.ts'

type WorkspaceChoiceProps = {
  /** Their purpose. */
  name: string
  ids: readonly string[]
  disabled: boolean
  onChange: (ids: string[]) => void
}

/** Selected workspaces, by name. */
export function WorkspaceChoice({ name: purpose, ids, disabled, onChange }: WorkspaceChoiceProps) {
  const { t } = useTranslation('documents')
  const list = useWorkspaces()
  const frame = useRef<HTMLFieldSetElement>(null)
  return (
    <fieldset
      ref={frame}
      aria-label={purpose}
      className="max-h-48 overflow-y-auto rounded-card border border-line px-3 py-2"
    >
      {list.items.map(({ id, name }) => (
        <Checkbox
          key={id}
          className="flex w-full min-w-0 py-1 !text-13"
          checked={ids.includes(id)}
          disabled={disabled}
          onCheckedChange={(isOn) => onChange(isOn ? [...ids, id] : ids.filter((other) => other !== id))}
          label={<span className="line-clamp-1">{name}</span>}
        />
      ))}
      {list.isSuccess && list.items.length === 0 && (
        <p className="text-13 text-ink-2">{t('choose.no_workspaces')}</p>
      )}
      {list.isError && list.items.length === 0 && <WorkspacesFailed onRetry={() => void list.refetch()} />}
      <MoreWorkspaces list={list} inside={frame} />
    </fieldset>
  )
}
