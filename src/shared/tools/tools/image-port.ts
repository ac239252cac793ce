import type { MediaReference } from '../media/media.ts'
import type { imageQualities, imageSizes } from './image-choices.ts'

/** What one image is to show, and the documents it begins from; `auto` leaves it to the model. */
export type ImageWish = {
  prompt: string
  quality: (typeof imageQualities)[number]
  /** Pixels, width by height. */
  size: (typeof imageSizes)[number]
  document_ids: string[]
}

/** One image that is kept, or why there is none. */
export type ImageOutcome =
  | {
      ok: true
      image: MediaReference
      /** The prompt as the provider changed it; null when it said nothing. */
      revised_prompt: string | null
      /** In dollars; null when no price is known. */
      price: number | null
      ms: number
    }
  | {
      ok: false
      error: string
      /** The next image would fail for the same reason. */
      isHopeless: boolean
    }

/** Images as a tool makes them; what a provider takes is paid for with the step it is used in. */
export type ImagePort = {
  /** The model that makes images here. @throws AppError `not_available` saying what to configure */
  findModel: () => Promise<string>
  /** Whether an image may begin from these documents. @throws AppError `not_found`, `invalid`, `too_large` */
  check: (documentIds: string[]) => Promise<void>
  /**
   * Makes one image and keeps it under a name at once; `show` hears the addresses of what there is to see of it
   * meanwhile, which are gone when it is done. @throws AppError `insufficient_balance`; of an abort its reason
   */
  make: (
    model: string,
    wish: ImageWish,
    name: string,
    show: (url: string, preview: number) => void,
  ) => Promise<ImageOutcome>
}
