import type { ReactNode } from 'react'

type SectionHeadProps = { title: string; note?: string; children?: ReactNode }

/** The heading of a section, with a note and a control at its end. */
export function SectionHead({ title, note = '', children }: SectionHeadProps) {
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-2 pb-1.5">
      <h2 className="text-13 font-semibold">{title}</h2>
      <span className="num text-12 text-ink-3">{note}</span>
      <span className="ml-auto">{children}</span>
    </div>
  )
}
