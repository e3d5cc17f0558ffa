import { type Severity, severities } from '@benchwatch/contract/vocabulary'

/** Of a mark that stands for several events: the worst among them. */
export function worstSeverity(events: readonly { severity: Severity }[]): Severity {
  return severities.find((severity) => events.some((event) => event.severity === severity)) ?? 'low'
}
