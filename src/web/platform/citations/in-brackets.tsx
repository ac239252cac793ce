/** A number whose brackets are not seen; whoever copies the text has them. */
export function InBrackets({ number }: { number: number }) {
  return (
    <>
      <span className="cite-edge">[</span>
      {number}
      <span className="cite-edge">]</span>
    </>
  )
}
