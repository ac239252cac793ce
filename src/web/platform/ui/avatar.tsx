import { lazy, Suspense } from 'react'

const Picture = lazy(() => import('./own-picture.tsx'))

type AvatarProps = { name: string; pictureId: string | null }

/** The picture of who is signed in, else two letters, drawn and not written: a button around them is called by what it does. */
export function Avatar({ name, pictureId }: AvatarProps) {
  return (
    <span
      aria-hidden
      data-initials={initialsOf(name)}
      className="relative inline-grid flex-none place-items-center overflow-hidden rounded-pill bg-surface-3 font-semibold tracking-normal text-ink before:content-[attr(data-initials)] size-7 text-11"
    >
      {pictureId && (
        <Suspense>
          <Picture id={pictureId} />
        </Suspense>
      )}
    </span>
  )
}

/** The first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s._-]+/)
    .filter(Boolean)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return chosen.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}
