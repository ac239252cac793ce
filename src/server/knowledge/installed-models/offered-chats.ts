import type { OfferedChatModel } from '#shared/knowledge/installed-models/installed-models.ts'

type Offer = Omit<OfferedChatModel, 'address' | 'memory_bytes' | 'tokens_per_second'> & { path: string }

const MEGABYTE = 1024 * 1024
/** Memory needed in addition to the file: the window and the process. */
const BESIDE_BYTES = 600 * MEGABYTE

/** Chat models that run on ordinary machines, smallest first, with the hashes that the hub states. */
const offers: Offer[] = [
  {
    ...{ name: 'gemma-3-270m', title: 'Gemma 3 270M', bytes: 291_545_600, licence: 'Gemma' },
    path: 'ggml-org/gemma-3-270m-it-GGUF/resolve/main/gemma-3-270m-it-Q8_0.gguf',
    sha256: '0ef57d2c838458a1952664260dcba38e5bdda37494f3af732f06e4add24068e3',
    ...{ languages: [], calls_tools: false },
  },
  {
    ...{ name: 'qwen2.5-0.5b', title: 'Qwen2.5 0.5B', bytes: 491_400_032, licence: 'Apache-2.0' },
    path: 'Qwen/Qwen2.5-0.5B-Instruct-GGUF/resolve/main/qwen2.5-0.5b-instruct-q4_k_m.gguf',
    sha256: '74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db',
    ...{ languages: [], calls_tools: true },
  },
  {
    ...{ name: 'qwen2.5-1.5b', title: 'Qwen2.5 1.5B', bytes: 1_117_320_736, licence: 'Apache-2.0' },
    path: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF/resolve/main/qwen2.5-1.5b-instruct-q4_k_m.gguf',
    sha256: '6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e',
    ...{ languages: [], calls_tools: true },
  },
  {
    ...{ name: 'qwen3-1.7b', title: 'Qwen3 1.7B', bytes: 1_834_426_016, licence: 'Apache-2.0' },
    path: 'Qwen/Qwen3-1.7B-GGUF/resolve/main/Qwen3-1.7B-Q8_0.gguf',
    sha256: '061b54daade076b5d3362dac252678d17da8c68f07560be70818cace6590cb1a',
    ...{ languages: [], calls_tools: true },
  },
  {
    ...{ name: 'qwen3-4b', title: 'Qwen3 4B', bytes: 2_497_280_256, licence: 'Apache-2.0' },
    path: 'Qwen/Qwen3-4B-GGUF/resolve/main/Qwen3-4B-Q4_K_M.gguf',
    sha256: '7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5',
    ...{ languages: [], calls_tools: true },
  },
]

/**
 * Returns the list with addresses at `hub` and estimated speeds. Each token reads the whole file once, so the speed is
 * `bytesPerSecond` divided by the file size; null if the machine was not measured.
 */
export function offerChats(hub: string, bytesPerSecond: number | null): OfferedChatModel[] {
  const base = hub.endsWith('/') ? hub : `${hub}/`
  return offers.map(({ path, ...offer }) => ({
    ...offer,
    address: `${base}${path}`,
    memory_bytes: offer.bytes + BESIDE_BYTES,
    tokens_per_second: bytesPerSecond && Math.round((10 * bytesPerSecond) / offer.bytes) / 10,
  }))
}
