import type { ModelCall, Sampling } from '../port.ts'

type Sampled = Pick<ModelCall, 'temperature' | 'sampling'>

/** Returns the names of the sampling parameters of a call. */
export const samplingOf = ({ temperature, sampling = {} }: Sampled): string[] => [
  ...(temperature === undefined ? [] : ['temperature']),
  ...Object.keys(sampling).filter((name) => sampling[name as keyof Sampling] !== undefined),
]

/** Returns the sampling of a call without the parameters of these names. */
export function withoutSampling({ temperature, sampling }: Sampled, names: readonly string[]): Sampled {
  const kept: Sampling = { ...sampling }
  for (const name of names) delete kept[name as keyof Sampling]
  return {
    ...(temperature !== undefined && !names.includes('temperature') && { temperature }),
    ...(sampling && { sampling: kept }),
  }
}
