/** A number with invisible brackets, which copied text includes. */
export function InBrackets({ number }: { number: number }) {
  return (
    <>
      <span className="cite-edge">[</span>
      {number}
      <span className="cite-edge">]</span>
    </>
  )
}
