import { lazy, Suspense } from 'react'

const Picture = lazy(() => import('./own-picture.tsx'))

type AvatarProps = { name: string; pictureId: string | null }

/**
 * The picture of the signed-in person, otherwise their initials. Rendered as an image, so that a button around it is named
 * by its action.
 */
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

/** Returns the first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s._-]+/)
    .filter(Boolean)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return chosen.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}
