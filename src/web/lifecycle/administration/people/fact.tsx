import type { ReactNode } from 'react'

/** One line of a list of facts: a label and its value at the end. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center gap-3 text-13">
      <dt className="flex-1 text-ink-2">{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}
