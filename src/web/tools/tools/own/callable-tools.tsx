import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { ToolRow } from '../look/tool-row.tsx'
import { useTools } from '../look/use-tools.ts'

/** Maximum number of tools an interface may call. */
const MOST = 10

type CallableToolsProps = { own: string; value: readonly string[]; onChange: (ids: string[]) => void }

/** Other tools the interface may call. Each call follows that tool's permission. */
export function CallableTools({ own, value, onChange }: CallableToolsProps) {
  const { t } = useTranslation(['own_tools', 'tool_ui'])
  const { data = [] } = useTools()
  const others = data.filter(({ id }) => id !== own)
  if (others.length === 0) return null
  const toggle = (id: string, isOn: boolean) =>
    onChange(isOn ? [...value, id] : value.filter((one) => one !== id))
  return (
    <section aria-label={t('interface.calls')} className="grid gap-2">
      <h2 className="text-13 font-medium">{t('interface.calls')}</h2>
      <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-card border border-line">
        {others.map((tool) => (
          <ToolRow key={tool.id} tool={tool}>
            <Switch
              aria-label={t('interface.may_call', { tool: tool.ui_name })}
              checked={value.includes(tool.id)}
              disabled={value.length >= MOST && !value.includes(tool.id)}
              onCheckedChange={(isOn) => toggle(tool.id, isOn)}
            />
          </ToolRow>
        ))}
      </ul>
      <p className="text-12 text-ink-3">{t('interface.calls_hint')}</p>
    </section>
  )
}
