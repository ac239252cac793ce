import clsx from 'clsx'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'

/** Maximum number of characters rendered. A browser takes seconds to lay out a million. */
const SHOWN = 50_000

/** Raw value with a copy button. Very long values are cut off. */
export function Payload({ value, className }: { value: unknown; className?: string }) {
  const { t } = useTranslation('streaming_blocks')
  const text = payloadText(value)
  if (text.length <= SHOWN) return <PayloadText text={text} className={className} />
  return (
    <div className="grid min-w-0 gap-1">
      <PayloadText text={`${text.slice(0, SHOWN)}…`} className={className} />
      <p className="flex items-center gap-1 text-12 text-ink-2">
        {t('tool.payload_cut', { count: text.length - SHOWN, number: formatNumber(text.length - SHOWN) })}
        <CopyButton name={t('tool.copy_whole')} size="sm" read={() => text} />
      </p>
    </div>
  )
}

function PayloadText({ text, className }: { text: string; className: string | undefined }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
      tabIndex={0}
      className={clsx(
        'overflow-auto rounded-row border border-line bg-bg p-3 font-mono text-12 leading-[18px] whitespace-pre-wrap wrap-anywhere',
        className,
      )}
    >
      {text}
    </pre>
  )
}

/** Returns text unchanged and anything else as indented JSON. */
export function payloadText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
