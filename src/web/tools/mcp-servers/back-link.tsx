import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'

/** Link back to a list. */
export function BackLink({ to, children }: { to: '/tools' | '/tools/servers'; children: string }) {
  return (
    <Link
      to={to}
      className="inline-flex items-center gap-1.5 self-start rounded-control text-13 font-medium text-ink-2 hover:text-ink max-md:min-h-11"
    >
      <ArrowLeft aria-hidden className="icon-14" />
      {children}
    </Link>
  )
}
