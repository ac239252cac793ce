import { Link, useParams } from '@tanstack/react-router'
import clsx from 'clsx'
import { ArrowLeft, RotateCcw, Wrench } from 'lucide-react'
import { lazy, Suspense, useEffect, useId } from 'react'
import type { Tool, ToolProperty } from '#shared/tools/tools/tools.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { selectTool, useSelectedTool } from '../../platform/lib/selected-tools.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button, buttonLook } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { View } from '../../platform/ui/view.tsx'
import { AccountSection } from '../tool-accounts/tool-accounts.tsx'
import { useChosenSession } from './chosen-session.ts'
import { inputKind, isChosenByName } from './execution/inputs.ts'
import { ExecutionSheet } from './execution-sheet.tsx'
import { useToolName } from './look/tool-name.ts'
import { ToolIcon, useToolTexts } from './look/tool-texts.tsx'
import { useTool } from './look/use-tools.ts'
import { OfferSwitch } from './offer-switch.tsx'
import { PastExecutions } from './past-executions.tsx'
import { PolicyChoice } from './policy-choice.tsx'
import { useIsOffered } from './session-tools.ts'
import { useToolAddress } from './tool-address.ts'
import { PolicyBadge } from './tool-tile.tsx'
import { TryTool } from './try-tool.tsx'

const ToolActions = lazy(() => import('./own/tool-actions.tsx'))

/** Page of one tool: inputs, limits, permission, and a form that executes it. */
export function ToolView() {
  const { t } = useTranslation('tools')
  const { toolId = '' } = useParams({ strict: false }) as { toolId?: string }
  const { data: tool, error, isError, refetch } = useTool(toolId)
  const isUnknown = isApiError(error, 404)
  useEffect(() => {
    if (isError && !isUnknown) void toast.error(t('details_failed'))
  }, [isError, isUnknown, t])
  if (tool) return <ToolPage tool={tool} />
  if (!isError)
    return (
      <View title={t('title')}>
        <Skeletons
          className="grid gap-4 px-8 py-6"
          sizes={['h-12 w-72', 'h-40 w-full max-w-[640px] rounded-card']}
        />
      </View>
    )
  return (
    <View title={t('title')}>
      <EmptyState
        page
        icon={<Wrench aria-hidden />}
        title={isUnknown ? t('unknown', { id: toolId }) : t('details_failed')}
        action={
          isUnknown ? (
            <Link to="/tools" className={buttonLook()}>
              {t('back')}
            </Link>
          ) : (
            <Button icon={<RotateCcw aria-hidden className="icon" />} onClick={() => void refetch()}>
              {t('common:actions.retry')}
            </Button>
          )
        }
      >
        {isUnknown ? t('unknown_text') : errorText(t, error)}
      </EmptyState>
    </View>
  )
}

function ToolPage({ tool }: { tool: Tool }) {
  const { t } = useTranslation('tools')
  const { name, description } = useToolTexts(tool)
  const address = useToolAddress(tool.id)
  return (
    <View
      title={name}
      badges={
        <>
          <Badge tone="line" className="max-lg:hidden">
            {t(`kind.${tool.kind}`)}
          </Badge>
          {tool.shared_by && (
            <Badge tone="line" className="max-lg:hidden">
              {t('shared_by', { name: tool.shared_by })}
            </Badge>
          )}
          <PolicyBadge policy={tool.policy} />
        </>
      }
      actions={<ChoiceForChat tool={tool} />}
    >
      <div className="flex min-h-0 flex-1 overflow-y-auto max-xl:flex-col xl:overflow-hidden">
        <div className="min-w-0 flex-1 px-8 py-6 max-xl:flex-none max-md:px-4 xl:overflow-y-auto">
          <Link
            to="/tools"
            className="mb-5 inline-flex items-center gap-1.5 rounded-control text-13 font-medium text-ink-2 hover:text-ink max-md:min-h-11"
          >
            <ArrowLeft aria-hidden className="icon-14" />
            {t('back')}
          </Link>
          <div className="flex items-start gap-4">
            <span className="inline-grid size-12 flex-none place-items-center rounded-card bg-surface-2 text-ink-2">
              <ToolIcon tool={tool} className="icon-20" />
            </span>
            <div className="min-w-0">
              <h2 className="text-22 font-semibold tracking-[-0.02em]">{name}</h2>
              <p className="mt-1 max-w-[520px] text-14 text-ink-2">{description}</p>
            </div>
          </div>
          {tool.own && (
            <Suspense>
              <ToolActions tool={tool} />
            </Suspense>
          )}
          <Missing tool={tool} />
          {tool.account && <AccountSection setId={tool.account.set_id} toolId={tool.id} className="mt-8" />}
          <Inputs tool={tool} />
          <Limits tool={tool} />
          <PastExecutions tool={tool} onOpen={(id) => address.change({ execution: id })} />
        </div>
        <aside
          aria-label={t('try.title')}
          className="grid w-[400px] flex-none content-start gap-6 border-line bg-surface p-5 max-xl:w-full max-xl:border-t xl:overflow-y-auto xl:border-l"
        >
          <TryTool
            key={tool.id}
            tool={tool}
            tried={address.tried}
            onTried={(id) => address.change({ tried: id })}
          />
          <hr className="border-line" />
          <PolicyChoice tool={tool} />
        </aside>
      </div>
      <ExecutionSheet
        id={address.execution}
        onStarted={(id) => address.change({ execution: id })}
        onClose={() => address.change({ execution: null })}
      />
    </View>
  )
}

function ChoiceForChat({ tool }: { tool: Tool }) {
  const { t } = useTranslation('tools')
  const session = useChosenSession()
  const name = useToolName(tool.id, tool.ui_name)
  const isOn = useSelectedTool(session?.id ?? null) === tool.id
  const isOffered = useIsOffered(session?.id ?? null, tool) !== false
  if (!session || tool.policy === 'never') return null
  return (
    <span className="mr-2 flex items-center gap-4">
      <Checkbox
        checked={isOn}
        disabled={!isOffered}
        label={<span className="text-13 whitespace-nowrap text-ink-2 max-lg:sr-only">{t('use_here')}</span>}
        aria-label={t('use', { tool: name, chat: session.title })}
        onCheckedChange={(next) => selectTool(session.id, next ? tool.id : null)}
      />
      <OfferSwitch tool={tool} sessionId={session.id} hasLabel />
    </span>
  )
}

function Inputs({ tool }: { tool: Tool }) {
  const { t } = useTranslation('tools')
  const id = useId()
  const { inputName, inputText, optionName } = useToolTexts(tool)
  const { properties, required = [] } = tool.input_schema
  const rows = Object.entries(properties)
  const typeOf = (name: string, property: ToolProperty) => {
    const kind = inputKind(property)
    if (kind === 'json' && isChosenByName(name)) return t(`inputs.${name}`)
    if (kind !== 'choice') return t(`inputs.${kind}`)
    return (property.enum ?? []).map((value) => optionName(name, String(value))).join(' · ')
  }
  return (
    <section aria-labelledby={id} className="mt-8">
      <h3 id={id} className="mb-2 text-13 font-semibold">
        {t('inputs.title')}
      </h3>
      {rows.length === 0 ? (
        <p className="text-13 text-ink-2">{t('inputs.none')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard.
        <div tabIndex={0} className="overflow-x-auto rounded-card border border-line">
          <table className="w-full text-13 max-md:block">
            <thead className="text-left text-12 whitespace-nowrap text-ink-2 max-md:sr-only">
              <tr className="border-b border-line [&>th]:px-3.5 [&>th]:py-2 [&>th]:font-medium">
                <th>{t('inputs.field')}</th>
                <th>{t('inputs.type')}</th>
                <th>{t('inputs.default')}</th>
                <th>{t('inputs.description')}</th>
              </tr>
            </thead>
            <tbody className="max-md:block">
              {rows.map(([name, property]) => (
                <tr
                  key={name}
                  className="border-b border-line last:border-b-0 max-md:grid max-md:gap-0.5 max-md:py-2.5 [&>td]:px-3.5 md:[&>td]:py-[9px]"
                >
                  <td className="font-medium">{inputName(name)}</td>
                  <td className="text-ink-2">
                    {[typeOf(name, property), required.includes(name) ? t('inputs.required') : '']
                      .filter(Boolean)
                      .join(', ')}
                  </td>
                  <td className={clsx('text-ink-3', property.default === undefined && 'max-md:hidden')}>
                    {defaultOf(property)}
                  </td>
                  <td>{inputText(name, property.description)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function defaultOf({ default: value }: ToolProperty): string {
  if (value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Explains why the tool is unavailable; users who can fix it also see how. */
function Missing({ tool }: { tool: Tool }) {
  const { t } = useTranslation('tools')
  return tool.missing.map(({ part, hint }) => (
    <Callout key={part} tone="warning" title={t(`missing.${part}`)} className="mt-5">
      {part === 'switch' && hint !== null ? (
        <Link to="/tools/servers/$serverId" params={{ serverId: hint }} className="underline">
          {t('missing.switch_hint')}
        </Link>
      ) : (
        t(hint === null ? `missing.${part}_ask` : `missing.${part}_hint`, { hint })
      )}
    </Callout>
  ))
}

function Limits({ tool }: { tool: Tool }) {
  const { t } = useTranslation('tools')
  const id = useId()
  const facts = [
    { value: t('limits.seconds', { count: tool.limit_seconds }), name: t('limits.time') },
    { value: t(tool.repeatable ? 'limits.again' : 'limits.asks'), name: t('limits.interrupted') },
    { value: t(`limits.prices.${tool.price}`), name: t('limits.price') },
  ]
  return (
    <section aria-labelledby={id} className="mt-8">
      <h3 id={id} className="mb-2 text-13 font-semibold">
        {t('limits.title')}
      </h3>
      <dl className="grid grid-cols-2 rounded-card border border-line">
        {facts.map(({ value, name }, at) => (
          <div
            key={name}
            className={clsx(
              'flex flex-col-reverse border-line px-4 py-3',
              ['', 'border-l', 'col-span-2 border-t'][at],
            )}
          >
            <dt className="text-12 text-ink-3">{name}</dt>
            <dd className="num text-16 font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
