/** Two letters for a person, drawn and not written: a button around them is called by what it does. */
export function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      data-initials={initialsOf(name)}
      className="inline-grid size-7 flex-none place-items-center rounded-pill bg-surface-3 text-11 font-semibold tracking-normal text-ink before:content-[attr(data-initials)]"
    />
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
