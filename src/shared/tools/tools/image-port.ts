import type { MediaReference } from '../media/media.ts'
import type { imageQualities, imageSizes } from './image-choices.ts'

/** Description and source documents of one image; `auto` leaves a choice to the model. */
export type ImageWish = {
  prompt: string
  quality: (typeof imageQualities)[number]
  /** Pixels, width by height. */
  size: (typeof imageSizes)[number]
  document_ids: string[]
}

/** A stored image, or the reason for a failure. */
export type ImageOutcome =
  | {
      ok: true
      image: MediaReference
      /** Prompt as revised by the provider; null when it was not reported. */
      revised_prompt: string | null
      /** Dollars; null when the price is unknown. */
      price: number | null
      ms: number
    }
  | {
      ok: false
      error: string
      /** True when the next image would fail for the same reason. */
      isHopeless: boolean
    }

/** Makes images for a tool; the provider's price is charged to the step that calls it. */
export type ImagePort = {
  /** Returns the image model. @throws AppError `not_available` with the setting to configure */
  findModel: () => Promise<string>
  /** Checks the source documents of an image. @throws AppError `not_found`, `invalid`, `too_large` */
  check: (documentIds: string[]) => Promise<void>
  /**
   * Makes one image and stores it immediately under a name. Passes addresses of previews to `show`; they expire when the
   * image is done. @throws AppError `insufficient_balance`; on abort, the abort reason
   */
  make: (
    model: string,
    wish: ImageWish,
    name: string,
    show: (url: string, preview: number) => void,
  ) => Promise<ImageOutcome>
  /** Stores a PNG, JPEG or WebP picture that a tool received. @throws AppError `too_large`, `unavailable`, `quota_exceeded` */
  keep: (name: string, bytes: Uint8Array) => Promise<MediaReference>
}
