import { type ComponentProps, type ReactNode, Suspense } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { Execution } from '../../tools/tools/tools.ts'
import { question } from './requests.tsx'

const block: ToolBlock = {
  ...{ type: 'tool', id: 'gallery-execution', tool_id: 'calculator', tool_name: 'Calculator' },
  ...{ input: { a: 612400, b: 41100, operation: 'divide' }, status: 'complete', error: null },
  result: { result: 14.9, exact: '14.9' },
  events: [{ type: 'calculator', status: 'processing' }],
}
const byZero: ToolBlock = {
  ...{ ...block, status: 'error', result: null, error: 'Division by zero is not possible.' },
  input: { a: 612400, b: 0, operation: 'divide' },
}

/** One execution as the right sidebar shows it: done, failed, with its inputs as a form, and waiting for a person. */
export function Executions({ draw }: { draw: (name: string, content: ReactNode) => ReactNode }) {
  const show = (name: string, props: Partial<ComponentProps<typeof Execution>>) =>
    draw(
      name,
      <div className="flex h-105 flex-col overflow-hidden rounded-card border border-line">
        <Suspense fallback={null}>
          <Execution block={block} sessionId={null} onStarted={() => undefined} {...props} />
        </Suspense>
      </div>,
    )
  return (
    <>
      {show('execution-done', {})}
      {show('execution-failed', { block: byZero })}
      {show('execution-edited', { isEditing: true })}
      {show('execution-waiting', { block: { ...block, status: 'pending', result: null }, request: question })}
    </>
  )
}
