import { lazy, Suspense } from 'react'

const ImageLayer = lazy(() => import('./image-layer.tsx'))

export type ImageOverlayProps = {
  src: string
  /** What the image shows. */
  alt: string
  /** The name of the downloaded file. */
  fileName?: string
  onClose: () => void
}

/** An image over the whole window, with download and close. */
export function ImageOverlay(props: ImageOverlayProps) {
  return (
    <Suspense fallback={null}>
      <ImageLayer {...props} />
    </Suspense>
  )
}
