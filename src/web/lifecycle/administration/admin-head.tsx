import type { ReactNode } from 'react'
import { formatNumber } from '../../platform/i18n/format.ts'

type AdminHeadProps = {
  title: string
  /** How many there are; nothing until that is known. */
  count?: number | undefined
  /** At the right end. */
  children?: ReactNode
}

/** The head of a page of the administration. */
export function AdminHead({ title, count, children }: AdminHeadProps) {
  return (
    <div className="admin-head">
      <h2>{title}</h2>
      {count !== undefined && <span className="num text-14 text-ink-3">{formatNumber(count)}</span>}
      <span className="flex-1" />
      {children}
    </div>
  )
}
