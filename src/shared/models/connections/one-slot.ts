/** The usual ports of Ollama and LM Studio. */
const SERVER_PORTS = ['11434', '1234']
/** The usual port of llama.cpp on this machine; elsewhere it is anybody's. */
const LLAMA_CPP_PORT = '8080'

/** Whether a server at this address usually answers one request at a time, by default: Ollama, LM Studio or llama.cpp. */
export function usuallyHasOneSlot(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hostname, port } = new URL(address)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname)
  return SERVER_PORTS.includes(port) || (isHere && port === LLAMA_CPP_PORT)
}
