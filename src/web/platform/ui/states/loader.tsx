import { Mark } from '../mark.tsx'

/** The loader of a whole view: the animated mark above the text. Bundled, so nothing is fetched for it. */
export function Loader({ text }: { text: string }) {
  return (
    <div
      role="status"
      className="loader grid h-full min-h-40 w-full place-content-center justify-items-center gap-3 p-8"
    >
      <Mark className="size-8" />
      <span className="text-13 text-ink-2">{text}</span>
    </div>
  )
}
