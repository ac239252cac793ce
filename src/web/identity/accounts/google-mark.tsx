import googleMark from './google-mark.svg'

/** The sign of Google, in its own colours as its rules ask. */
export function GoogleMark({ isMuted = false }: { isMuted?: boolean }) {
  return (
    <img src={googleMark} alt="" width={16} height={16} className={isMuted ? 'opacity-60 grayscale' : ''} />
  )
}
