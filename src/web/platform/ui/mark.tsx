/** The mark of the product, two arches; the logo of a company in its place (styles.css). */
export function Mark({ className = 'size-5.5' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={`mark ${className}`}>
      <path className="arch" pathLength="1" d="M6.5 18.5v-7a5.5 5.5 0 0 1 11 0v7" strokeWidth="1.9" />
      <path
        className="arch"
        pathLength="1"
        d="M10.2 18.5v-6.2a1.8 1.8 0 0 1 3.6 0v6.2"
        strokeWidth="1.7"
        strokeOpacity=".72"
      />
    </svg>
  )
}
