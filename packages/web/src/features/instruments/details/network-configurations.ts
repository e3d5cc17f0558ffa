/** The network connections of the instrument's computer: JSON text with a list of {name, ip, dhcpEnabled}, as its agent wrote it. */

export interface NetworkConfiguration {
  /** Null where the agent named none. */
  name: string | null
  ip: string | null
  /** Whether the address is given out by DHCP; null where nobody said. */
  dhcpEnabled: boolean | null
}

export type NetworkConfigurations =
  | { kind: 'none' }
  | { kind: 'list'; networks: readonly NetworkConfiguration[] }
  /** What was sent is no such list: to be shown as it is. */
  | { kind: 'unreadable'; text: string }

/**
 * Reads them. All or nothing: of a list that was understood in part nobody could tell what is missing. Further members of an
 * entry are left out, and `true` as a text counts as well.
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

/** Null as soon as one of them is none. */
function readNetworks(entries: readonly unknown[]): NetworkConfiguration[] | null {
  const networks: NetworkConfiguration[] = []
  for (const entry of entries) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null
    const told: Record<string, unknown> = { ...entry }
    const name = readText(told.name)
    const ip = readText(told.ip)
    const dhcpEnabled = readFlag(told.dhcpEnabled)
    if (name === undefined || ip === undefined || dhcpEnabled === undefined) return null
    networks.push({ name, ip, dhcpEnabled })
  }
  return networks
}

/** Null where there is none; undefined for what is no text. */
function readText(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value.trim() || null : undefined
}

/** Null where nobody said; undefined for what is neither yes nor no. */
function readFlag(value: unknown): boolean | null | undefined {
  if (value === undefined || value === null) return null
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : undefined
}
