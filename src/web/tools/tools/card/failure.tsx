import { Link } from '@tanstack/react-router'
import { Pencil, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { readEnding, readToolError } from '#shared/tools/tools/tool-errors.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { nameOfInput, nameOfTool } from '../../../platform/i18n/tool-words.ts'
import type { CardFacts } from '../../../platform/lib/card-status.ts'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import type { Remedy, ToolCardParts } from '../../../platform/ui/card-parts.ts'
import { NO_REASON } from '../look/tool-look.ts'

/** Possible actions after an error. The card decides which one to offer. */
export type Remedies = Record<Remedy, () => void> & { isBusy: boolean }

type FailureProps = {
  toolId: string
  card: ToolCardParts | null | undefined
  facts: CardFacts
  remedies?: Remedies | undefined
  children?: ReactNode
}

/** Error message of a call, translated where known, with one action unless the user declined the call. */
export function Failure({ toolId, card, facts, remedies, children }: FailureProps) {
  const { t } = useTranslation('streaming_blocks')
  const { t: own, ready } = useTranslation('tool_ui', { useSuspense: false })
  const ending = readEnding(facts.error)
  const remedy = remedyOf(card, facts)
  const said = explain(t, toolId, facts) ?? (ready && tell(card, facts, own)) ?? facts.error
  const title = (!ending && ready && card?.failure?.(own)) || null
  const page = pageOf(facts)
  const Icon = remedy === 'edit' ? Pencil : RotateCcw
  return (
    <Callout
      tone={ending ? 'neutral' : 'danger'}
      title={title ?? said}
      action={
        page ? (
          <Link to={page} className={buttonLook({ size: 'sm' })}>
            {t('tool.connect')}
          </Link>
        ) : (
          remedies &&
          ending !== 'declined' && (
            <Button
              size="sm"
              busy={remedies.isBusy}
              icon={<Icon aria-hidden className="icon-14" />}
              onClick={remedies[remedy]}
            >
              {t(`tool.${remedy}`)}
            </Button>
          )
        )
      }
    >
      {title !== null && <p>{said}</p>}
      {children}
    </Callout>
  )
}

/** Returns the page where the user connects the required account; null for any other failure. */
function pageOf({ error }: CardFacts): string | null {
  const known = readToolError(error)
  if (known?.code !== 'not_connected' || !URL.canParse(known.values.page ?? '')) return null
  return new URL(known.values.page ?? '').pathname
}

function remedyOf(card: FailureProps['card'], { error, input }: CardFacts): Remedy {
  const code = readToolError(error)?.code
  if (code === 'invalid' || code === 'not_json') return 'edit'
  return card?.remedy?.(error ?? '', input) ?? 'retry'
}

/** Translates errors raised by Atrium; returns null for messages written by the tool. */
function explain(t: TFunction, toolId: string, { error }: CardFacts): string | null {
  if (!error || error === NO_REASON) return t('tool.no_reason')
  const known = readToolError(error)
  if (!known) return null
  const { code, values } = known
  const fields = fieldsIn(values.issues ?? '')
  const tool = nameOfTool(t, { tool_id: toolId, tool_name: values.tool ?? toolId })
  return t(`tool.errors.${code === 'invalid' && fields.length === 0 ? 'not_json' : code}`, {
    ...{ ...values, tool },
    fields: fields.map((name) => nameOfInput(t, toolId, name)).join(', '),
    count: Number(values.seconds ?? 0),
  })
}

/** Extracts the inputs named by a list of issues. Each issue starts with a path; `input` is the whole input. */
function fieldsIn(issues: string): string[] {
  const names = issues.split('; ').map((issue) => /^(\w+)/.exec(issue)?.[1] ?? '')
  return [...new Set(names.filter((name) => name !== '' && name !== 'input'))]
}

const tell = (card: FailureProps['card'], { error, input }: CardFacts, t: TFunction) =>
  card?.explain?.(error ?? '', input, t) ?? null
