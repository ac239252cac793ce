import { ArrowUpRight } from 'lucide-react'
import type { Outward, ReadText } from '#shared/platform/outward.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { showHidden } from '../../platform/i18n/show-hidden.ts'

const PROGRAM = 'stdio:'

/** Shows what a call sends out of the installation, where to, and whose text the chat contains. */
export function Leaving({ outward, isEdited }: { outward: Outward; isEdited: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div className="overflow-hidden rounded-row border border-warning/40 bg-warning-soft">
      <p className="flex items-start gap-2 px-3 pt-2.5 text-14">
        <ArrowUpRight aria-hidden className="icon mt-0.5 flex-none text-warning" />
        <span className="wrap-anywhere">
          {t('input.outward.goes_to')} <strong className="font-semibold">{hostsText(outward, t)}</strong>
        </span>
      </p>
      <p className="px-3 pt-1 pb-2.5 pl-9 text-13 wrap-anywhere text-ink-2">
        {outward.read.length === 0
          ? t('input.outward.strict')
          : t('input.outward.read', { sources: outward.read.map((one) => sourceText(one, t)).join(', ') })}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a section by itself would be a landmark. */}
      <div
        role="group"
        aria-label={t('input.outward.request')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard, too.
        tabIndex={0}
        className="max-h-48 overflow-auto border-t border-warning/40 bg-bg p-3 font-mono text-13 whitespace-pre-wrap wrap-anywhere"
      >
        {requestText(outward)}
      </div>
      {isEdited && (
        <p className="border-t border-warning/40 bg-bg px-3 py-2 text-13 text-ink-2">
          {t('input.outward.edited')}
        </p>
      )}
    </div>
  )
}

/** Returns the destination of a call as text. */
export function hostsText({ hosts }: Pick<Outward, 'hosts'>, t: TFunction): string {
  return hosts
    .map((host) =>
      host.startsWith(PROGRAM)
        ? t('streaming_blocks:input.outward.program', { name: host.slice(PROGRAM.length) })
        : showHidden(host),
    )
    .join(', ')
}

/** Returns the name of a text that others wrote. */
export function sourceText({ kind, name }: ReadText, t: TFunction): string {
  return t(`streaming_blocks:input.outward.kinds.${kind}`, {
    name: showHidden(name),
    context: name === '' ? 'unnamed' : '',
  })
}

/** Returns the request as it is sent, line by line. */
function requestText({ method, address, headers, body }: Outward): string {
  const lines = [
    ...(address === null ? [] : [`${method} ${address}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [body]),
  ]
  return showHidden(lines.join('\n'))
}
