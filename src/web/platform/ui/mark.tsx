import { useId } from 'react'

/** The mark of the product: two arches. */
export function Mark({ className = 'size-5.5' }: { className?: string }) {
  const gradient = useId()
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={`block flex-none ${className}`}>
      <defs>
        <linearGradient id={gradient} x1="0" y1="0" x2="1" y2="1">
          <stop stopColor="var(--mark-from)" />
          <stop offset="1" stopColor="var(--mark-to)" />
        </linearGradient>
      </defs>
      <rect width="24" height="24" rx="6.5" fill={`url(#${gradient})`} />
      <g fill="none" stroke="var(--media-fg)" strokeLinecap="round">
        <path className="arch" pathLength="1" d="M6.5 18.5v-7a5.5 5.5 0 0 1 11 0v7" strokeWidth="1.9" />
        <path
          className="arch"
          pathLength="1"
          d="M10.2 18.5v-6.2a1.8 1.8 0 0 1 3.6 0v6.2"
          strokeWidth="1.7"
          strokeOpacity=".72"
        />
      </g>
    </svg>
  )
}
