import googleMark from './google-mark.svg'

/** The Google logo, in the colours its brand guidelines require. */
export function GoogleMark() {
  return <img src={googleMark} alt="" width={16} height={16} />
}
