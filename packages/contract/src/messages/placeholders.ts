import { TEXT_IN_BRACES } from '../patterns.ts'
import type { ConnectionEventKind } from '../vocabulary.ts'

/**
 * Placeholders in braces that administrators may use in texts, and functions that read them. Plain data and pure
 * functions.
 */

export interface Placeholder {
  name: string
  /** Describes the value that replaces the placeholder. */
  label: string
}

/** Placeholders of support e-mails. */
export const supportEmailPlaceholders = [
  { name: 'contactName', label: 'Name of the customer’s contact' },
  { name: 'instrument', label: 'Product description of the instrument' },
  { name: 'systemName', label: 'System name of the instrument' },
  { name: 'installedProductId', label: 'Installed product ID' },
  { name: 'component', label: 'Component that raised the event' },
  { name: 'errorCode', label: 'Error code, the end of the warning number' },
  { name: 'eventId', label: 'Event ID such as ORC-104882' },
  { name: 'description', label: 'Description of the event' },
  { name: 'userMessage', label: 'Message for the user' },
  { name: 'customer', label: 'Customer' },
  { name: 'location', label: 'City and country of the instrument' },
  { name: 'date', label: 'When it happened, in the local time of the instrument' },
  { name: 'troubleshooting', label: 'Troubleshooting of this template, as text' },
] as const satisfies readonly Placeholder[]
export type SupportEmailPlaceholder = (typeof supportEmailPlaceholders)[number]['name']

const gateway = { name: 'gateway', label: 'Name of the gateway' }
const instrument = { name: 'instrument', label: 'Product description and installed product ID' }
const minutes = { name: 'minutes', label: 'Minutes since the connection was lost' }

/** Placeholders of connection-loss events. An event about a gateway has no instrument. */
export const connectionPlaceholders: Record<ConnectionEventKind, readonly Placeholder[]> = {
  EDGE_ISSUE: [gateway, minutes],
  OFFLINE: [instrument, gateway, minutes],
}

/** Returns the texts in braces that are not known placeholders, each once, in the order of the text. */
export function unknownPlaceholders(text: string, known: readonly Placeholder[]): string[] {
  const named = Array.from(text.matchAll(new RegExp(TEXT_IN_BRACES, 'g')), ([, name = '']) => name)
  return [...new Set(named)].filter((name) => !known.some((placeholder) => placeholder.name === name))
}

/** Replaces each `{name}` by the value of that name; other texts in braces stay as they are. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w{1,40})\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? placeholder) : placeholder,
  )
}
