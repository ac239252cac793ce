import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'

/** Result of a check, announced to screen readers. */
export function CheckResult({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  const Icon = isGood ? CircleCheck : CircleAlert
  return (
    <span
      role="status"
      className={`flex items-center gap-1.5 text-12 font-medium ${isGood ? 'text-success' : 'text-danger'}`}
    >
      <Icon aria-hidden className="icon-12" />
      {children}
    </span>
  )
}
