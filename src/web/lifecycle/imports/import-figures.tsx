import { formatNumber } from '../../platform/i18n/format.ts'

type FiguresProps = {
  /** Numbers with their names. */
  items: (readonly [number, string])[]
  /** First and last month. */
  range?: { from: string; to: string } | null
}

/** Numbers in a row. */
export function Figures({ items, range }: FiguresProps) {
  return (
    <div className="mt-6 overflow-hidden rounded-card border border-line">
      <dl className="-mr-px -mb-px grid grid-cols-[repeat(auto-fit,minmax(120px,1fr))]">
        {items.map(([number, name]) => (
          <Figure key={name} value={formatNumber(number)} name={name} />
        ))}
        {range && <Figure value={range.from} name={range.to} />}
      </dl>
    </div>
  )
}

function Figure({ value, name }: { value: string; name: string }) {
  return (
    <div className="flex flex-col-reverse justify-end border-r border-b border-line px-4 py-3">
      <dt className="text-12 text-ink-3">{name}</dt>
      <dd className="num text-18 font-semibold tracking-[-0.02em]">{value}</dd>
    </div>
  )
}
