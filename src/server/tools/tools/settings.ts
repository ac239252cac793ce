import type { ToolContract } from '#shared/tools/tools/tool.ts'
import type { Config } from '../../platform/config/config.ts'

/** Returns the configured values of a contract's settings; empty texts for missing ones. */
export function readSettings(config: Config, { settings = [] }: ToolContract): Record<string, string> {
  const known = config as Record<string, unknown>
  return Object.fromEntries(settings.map((name) => [name, String(known[name] ?? '')]))
}
