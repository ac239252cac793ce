import type { FastifyRequest } from 'fastify'

/**
 * Returns the origin of a request if it is ours, otherwise the public one of this installation. A proxy may not say that a request came
 * over https: the public address then does.
 */
export function ownOrigin(request: FastifyRequest, publicUrl: string): string {
  const { host, origin, protocol } = new URL(publicUrl)
  const isPublic = host === request.host
  if (isPublic && protocol === 'https:') return origin
  return isPublic || isLoopback(request.hostname) ? `${request.protocol}://${request.host}` : origin
}

const isLoopback = (host: string) => host === 'localhost' || host === '127.0.0.1' || host === '[::1]'
