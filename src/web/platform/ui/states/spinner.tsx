import clsx from 'clsx'
import { LoaderCircle } from 'lucide-react'

/** Work without named phases is in progress. Not announced itself, so put text next to it. */
export function Spinner({ className = 'icon' }: { className?: string }) {
  return <LoaderCircle aria-hidden className={clsx('animate-spin', className)} />
}
