import clsx from 'clsx'
import { type ReactNode, useId } from 'react'

type DebugCardProps = { title: ReactNode; aside?: ReactNode; className?: string; children: ReactNode }

/** Group of controls with a heading. */
export function DebugCard({ title, aside, className, children }: DebugCardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={clsx(
        'grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 rounded-card border border-line bg-bg px-3.5 pt-3 pb-3.5',
        className,
      )}
    >
      <div className="flex min-h-6 items-center gap-2">
        <h2 id={id} className="flex-1 text-13 font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** Controls on the left, output on the right; stacked on narrow screens. */
export function DebugColumns({ controls, children }: { controls: ReactNode; children: ReactNode }) {
  return (
    <div className="@container h-full overflow-y-auto">
      <div className="grid min-h-full grid-cols-[minmax(0,1fr)] @min-[860px]:h-full @min-[860px]:grid-cols-[380px_minmax(0,1fr)]">
        <div className="flex flex-col gap-3.5 border-line bg-surface px-5 py-4.5 max-md:px-4 @max-[860px]:border-b @min-[860px]:overflow-y-auto @min-[860px]:border-r">
          {controls}
        </div>
        <div className="flex min-w-0 flex-col gap-3.5 px-6 pt-4.5 pb-24 max-md:px-4 @min-[860px]:overflow-y-auto">
          {children}
        </div>
      </div>
    </div>
  )
}
