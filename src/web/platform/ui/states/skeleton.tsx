import clsx from 'clsx'
import { type ReactNode, useEffect, useState } from 'react'

const DELAY_MS = 150

/** A grey placeholder in the size of the expected content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('block animate-pulse rounded-tag bg-surface-2', className)} />
}

/** Grey placeholders of these sizes below each other. */
export function Skeletons({ sizes, className = 'grid gap-3 p-4' }: { sizes: string[]; className?: string }) {
  return (
    <Delayed>
      <div aria-hidden className={className}>
        {sizes.map((size, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a shape is nothing but its place.
          <Skeleton key={at} className={size} />
        ))}
      </div>
    </Delayed>
  )
}

/**
 * Shows its children after 150 ms, because faster content must not flash. In a container `in-order`, everything below it is hidden
 * until it leaves.
 */
export function Delayed({ children }: { children?: ReactNode }) {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <span hidden data-loading />
      {isDue && children}
    </>
  )
}
