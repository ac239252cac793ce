import { Link } from '@tanstack/react-router'
import { ChevronRight, ShieldCheck, ShieldX } from 'lucide-react'
import { useId } from 'react'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { selectTool, useSelectedTool } from '../../platform/lib/selected-tools.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { ToolIcon, useToolTexts } from './look/tool-texts.tsx'
import { OfferSwitch } from './offer-switch.tsx'
import { useIsOffered } from './session-tools.ts'

type ToolTileProps = {
  tool: Tool
  session: { id: string; title: string } | null
  /** Full-width layout for the list view. */
  isRow?: boolean
}

/** Tool in the list. A click selects or deselects it for the next messages; a switch offers it to the chat's model. */
export function ToolTile({ tool, session, isRow = false }: ToolTileProps) {
  const { t } = useTranslation('tools')
  const { name, description } = useToolTexts(tool)
  const id = useId()
  const isOn = useSelectedTool(session?.id ?? null) === tool.id
  const isOffered = useIsOffered(session?.id ?? null, tool) !== false
  const canChoose = session !== null && tool.policy !== 'never'
  return (
    <li
      className={`relative grid ${isRow ? '' : 'min-h-[116px]'} grid-cols-[32px_minmax(0,1fr)_auto] grid-rows-[auto_1fr_auto] gap-x-3 gap-y-0.5 rounded-card border p-3.5 pb-3 pl-4 hover-motion hover:bg-surface ${isOn ? 'border-accent' : 'border-line hover:border-line-2'}`}
    >
      <span
        className={`inline-grid size-8 place-items-center rounded-row ${isOn ? 'bg-accent-soft text-accent' : 'bg-surface-2 text-ink-2'}`}
      >
        <ToolIcon tool={tool} className="icon" />
      </span>
      <h2 className="min-h-8 content-center text-14 leading-5 font-semibold wrap-anywhere">{name}</h2>
      {canChoose && (
        <>
          <span className="flex h-8 items-center gap-2.5">
            <Checkbox
              id={id}
              checked={isOn}
              disabled={!isOffered}
              aria-label={t('use', { tool: name, chat: session.title })}
              label={
                <span className={`text-12 ${isOffered ? 'text-ink-2' : 'text-ink-3'}`}>{t('use_here')}</span>
              }
              onCheckedChange={(next) => selectTool(session.id, next ? tool.id : null)}
              className="relative z-1"
            />
            <OfferSwitch tool={tool} sessionId={session.id} className="relative z-1 items-center" />
          </span>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: it only makes the whole tile the checkbox, which has its name. */}
          <label htmlFor={id} aria-hidden className="absolute inset-0 cursor-pointer rounded-card" />
        </>
      )}
      <p className="col-span-2 col-start-2 line-clamp-2 self-start text-13 leading-[19px] text-ink-2">
        {description}
      </p>
      <div className="col-span-2 col-start-2 mt-1.5 flex flex-wrap items-center gap-2 self-end">
        <Badge tone="line">{t(`kind.${tool.kind}`)}</Badge>
        {tool.missing.length > 0 ? (
          <Badge tone="warning">{t('missing.badge')}</Badge>
        ) : (
          <PolicyBadge policy={tool.policy} />
        )}
        <span className="text-12 text-ink-3">{t(`limits.prices.${tool.price}`)}</span>
        {tool.shared_by && (
          <span className="text-12 text-ink-3">{t('shared_by', { name: tool.shared_by })}</span>
        )}
        <Link
          to="/tools/$toolId"
          params={{ toolId: tool.id }}
          aria-label={t('details_of', { tool: name })}
          className="relative z-1 ml-auto inline-flex items-center gap-0.5 rounded-control text-12 font-medium text-accent hover:underline max-md:min-h-9"
        >
          {t('details')}
          <ChevronRight aria-hidden className="icon-12" />
        </Link>
      </div>
    </li>
  )
}

/** Badge for a permission other than the default. */
export function PolicyBadge({ policy }: Pick<Tool, 'policy'>) {
  const { t } = useTranslation('tools')
  if (policy === 'auto') return null
  const Icon = policy === 'ask' ? ShieldCheck : ShieldX
  return (
    <Badge tone={policy === 'ask' ? 'warning' : 'neutral'} icon={<Icon aria-hidden />}>
      {t(`policy.${policy}_badge`)}
    </Badge>
  )
}
