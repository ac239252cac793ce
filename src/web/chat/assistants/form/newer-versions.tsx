import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { update } from '../save.ts'

/** Lists tools of an assistant with newer versions than it uses, and updates them. */
export function NewerVersions({ assistant, tools }: { assistant: Assistant; tools: readonly Tool[] }) {
  const { t } = useTranslation('assistant')
  const { run, isPending } = useAction(() => update(assistant.id, { newest_tools: true }))
  const newer = tools.filter(({ id, version }) => {
    const held = assistant.tool_versions?.[id]
    return held !== undefined && version !== null && held < version
  })
  if (newer.length === 0) return null
  return (
    <Callout
      tone="accent"
      title={t('tools.newer', { count: newer.length })}
      action={
        <Button size="sm" busy={isPending} onClick={() => void run()}>
          {t('tools.take_newer')}
        </Button>
      }
    >
      {newer.map(({ ui_name }) => ui_name).join(', ')}
    </Callout>
  )
}
