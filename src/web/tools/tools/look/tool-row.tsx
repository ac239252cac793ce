import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { ToolIcon, useToolTexts } from './tool-texts.tsx'

/** One-line list entry of a tool, with its setting at the end. */
export function ToolRow({ tool, children }: { tool: Tool; children?: ReactNode }) {
  const { name, description } = useToolTexts(tool)
  return (
    <Row icon={<ToolIcon tool={tool} className="icon-14" />} name={name} text={description}>
      {children}
    </Row>
  )
}

/** Entry for a tool that was deleted or is not visible to the user. */
export function UnavailableTool({ id, children }: { id: string; children?: ReactNode }) {
  const { t } = useTranslation('tool_ui')
  return (
    <Row
      icon={<Lock aria-hidden className="icon-14" />}
      name={t('unavailable.name', { id: id.slice(0, 8) })}
      text={t('unavailable.text')}
    >
      {children}
    </Row>
  )
}

type RowProps = { icon: ReactNode; name: string; text: string; children: ReactNode }

function Row({ icon, name, text, children }: RowProps) {
  return (
    <li className="flex min-h-13 items-center gap-3 py-1.5 pr-3 pl-3.5">
      <span className="inline-grid size-7 flex-none place-items-center rounded-control bg-surface-2 text-ink-2">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-13 font-medium">{name}</span>
        <span className="block truncate text-12 text-ink-3">{text}</span>
      </span>
      {children}
    </li>
  )
}
