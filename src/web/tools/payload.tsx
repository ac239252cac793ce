import clsx from 'clsx'

/** A value as it went over the wire, to be read and copied. */
export function Payload({ value, className }: { value: unknown; className?: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
      tabIndex={0}
      className={clsx(
        'overflow-auto rounded-row border border-line bg-bg p-3 font-mono text-12 leading-[18px] whitespace-pre-wrap wrap-anywhere',
        className,
      )}
    >
      {payloadText(value)}
    </pre>
  )
}

/** Text as it is, anything else as indented JSON. */
export function payloadText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
