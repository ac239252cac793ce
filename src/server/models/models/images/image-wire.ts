import type { ImageWish } from '#shared/tools/tools/image-port.ts'
import type { Usage } from '../port.ts'
import type { Endpoint } from '../wire/dialect.ts'

/** A picture to start from. */
export type Reference = { name: string; media_type: string; bytes: Uint8Array<ArrayBuffer> }
export type DrawWish = Pick<ImageWish, 'prompt' | 'quality' | 'size'> & { references: Reference[] }

/** One image. `image` is its bytes, or the provider's address to fetch it from. */
export type Drawn = { image: Uint8Array | string; revised_prompt: string | null; usage: Usage }

/** Wire format of a provider's images. */
export type ImageWire = {
  request(model: string, wish: DrawWish, endpoint: Endpoint): ImageRequest
  read(
    answer: Response,
    show: (bytes: Uint8Array) => void,
  ): Promise<Omit<Drawn, 'usage'> & { usage: Usage | null }>
}
export type ImageRequest = { url: string; headers: Record<string, string>; body: string | FormData }
