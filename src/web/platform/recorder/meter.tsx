/** The recent sound levels, newest at the right, as heard by the microphone. */
export function Meter({ levels, isLive }: { levels: readonly number[]; isLive: boolean }) {
  return (
    <span
      aria-hidden
      className={`flex h-6 min-w-0 flex-1 items-center justify-end gap-[3px] overflow-hidden ${isLive ? 'text-accent' : 'text-ink-3'}`}
    >
      {levels.map((level, at) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is nothing but its place.
          key={at}
          className="w-[3px] flex-none rounded-pill bg-current"
          style={{ height: `${Math.max(2, Math.round(level * 24))}px` }}
        />
      ))}
    </span>
  )
}
