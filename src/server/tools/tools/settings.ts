import type { ToolContract } from '#shared/tools/tools/tool.ts'
import type { Config } from '../../platform/config/config.ts'

/** The settings a contract names, as the administrator has them; empty where there is none. */
export function readSettings(config: Config, { settings = [] }: ToolContract): Record<string, string> {
  const known = config as Record<string, unknown>
  return Object.fromEntries(settings.map((name) => [name, String(known[name] ?? '')]))
}
