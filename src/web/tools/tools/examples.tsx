import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { ToolBody } from './card/tool-card.tsx'
import { useCardOf } from './look/use-tool-card.ts'

/** Sample results of a tool, labelled as made up. */
export function Examples({ tool }: { tool: Tool }) {
  const { t } = useTranslation('tools')
  const { card, missing } = useCardOf(tool)
  const examples = tool.example_responses
  if (examples.length === 0) return <p className="text-13 text-ink-2">{t('try.no_examples')}</p>
  return (
    <div className="grid gap-3">
      <p className="text-12 text-ink-3">{t('try.examples_text')}</p>
      {examples.map(({ outputs }, at) => {
        const facts = { isLoading: false, input: null, result: outputs, error: null }
        const block = {
          ...{ type: 'tool' as const, id: `example-${at}`, tool_id: tool.id, tool_name: tool.ui_name },
          ...{ status: 'complete' as const, input: null, result: outputs, error: null, events: [] },
        }
        return (
          <section key={block.id} className="rounded-card border border-dashed border-line-2 bg-bg">
            <header className="px-3 pt-2.5">
              <Badge tone="line">{t('try.example')}</Badge>
            </header>
            <div className="overflow-hidden p-3">
              <ToolBody {...{ block, card, missing, facts }} status="done" />
            </div>
          </section>
        )
      })}
    </div>
  )
}
