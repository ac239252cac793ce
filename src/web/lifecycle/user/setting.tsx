import { type ReactNode, useId } from 'react'

type SettingProps = {
  title: ReactNode
  reason?: ReactNode
  /** Name of the setting for tours. */
  tour?: string
  children: ReactNode
}

/** One setting: its name and explanation at the left, its control at the right. */
export function Setting({ title, reason, tour, children }: SettingProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      data-tour={tour}
      className="grid gap-x-10 gap-y-3 border-b border-line py-5.5 first:pt-0 last:border-0 lg:grid-cols-[280px_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="text-13 font-semibold">
          {title}
        </h2>
        {reason && <p className="mt-1 text-13 leading-[19px] text-ink-3">{reason}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
