import { lazy, Suspense } from 'react'
import type { ImageOverlayProps } from './image-layer.tsx'

const ImageLayer = lazy(() => import('./image-layer.tsx'))

/** An image in full window, with download and close. */
export function ImageOverlay(props: ImageOverlayProps) {
  return (
    <Suspense fallback={null}>
      <ImageLayer {...props} />
    </Suspense>
  )
}
