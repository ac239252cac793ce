import clsx from 'clsx'
import { LoaderCircle } from 'lucide-react'

/** Something runs, and there is no phase to name. Says nothing itself: put words beside it. */
export function Spinner({ className = 'icon' }: { className?: string }) {
  return <LoaderCircle aria-hidden className={clsx('animate-spin', className)} />
}
