import type { ReactNode } from 'react'

type SettingsSectionProps = { title: string; text: string; children: ReactNode }

/** Fields of one kind, with their explanation next to them. */
export function SettingsSection({ title, text, children }: SettingsSectionProps) {
  return (
    <section className="grid grid-cols-[220px_minmax(0,1fr)] gap-x-8 gap-y-4 max-md:grid-cols-1">
      <div>
        <h2 className="text-14 font-semibold">{title}</h2>
        <p className="mt-1 text-13 text-ink-2">{text}</p>
      </div>
      <div className="grid min-w-0 content-start gap-4">{children}</div>
    </section>
  )
}
