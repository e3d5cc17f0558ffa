/**
 * A network connection of the instrument's computer. The agent sends JSON text with a list of {name, ip, dhcpEnabled}.
 */

export interface NetworkConfiguration {
  /** Null if the agent sent no name. */
  name: string | null
  ip: string | null
  /** True if DHCP assigns the address; null if the agent did not say. */
  dhcpEnabled: boolean | null
}

export type NetworkConfigurations =
  | { kind: 'none' }
  | { kind: 'list'; networks: readonly NetworkConfiguration[] }
  /** The text is not such a list and is shown as it is. */
  | { kind: 'unreadable'; text: string }

/**
 * Reads network configurations, all or none: a partly understood list would hide what is missing. Ignores further
 * members of an entry and accepts `true` as text.
 */
export function readNetworkConfigurations(text: string | null): NetworkConfigurations {
  if (text === null || text.trim() === '') return { kind: 'none' }
  const list = parsed(text)
  if (list === null) return { kind: 'none' }
  const networks = Array.isArray(list) ? readNetworks(list) : null
  if (networks === null) return { kind: 'unreadable', text }
  return networks.length === 0 ? { kind: 'none' } : { kind: 'list', networks }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns null if any entry is invalid. */
function readNetworks(entries: readonly unknown[]): NetworkConfiguration[] | null {
  const networks: NetworkConfiguration[] = []
  for (const entry of entries) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null
    const members: Record<string, unknown> = { ...entry }
    const name = readText(members.name)
    const ip = readText(members.ip)
    const dhcpEnabled = readFlag(members.dhcpEnabled)
    if (name === undefined || ip === undefined || dhcpEnabled === undefined) return null
    networks.push({ name, ip, dhcpEnabled })
  }
  return networks
}

/** Returns null if absent, undefined if not a text. */
function readText(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value.trim() || null : undefined
}

/** Returns null if absent, undefined if neither yes nor no. */
function readFlag(value: unknown): boolean | null | undefined {
  if (value === undefined || value === null) return null
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : undefined
}
