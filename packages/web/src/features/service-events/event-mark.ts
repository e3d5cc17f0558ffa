import { type Severity, severities } from '@benchwatch/contract/vocabulary'

/** A mark takes presses on 24 px, the least that a finger finds (WCAG 2.5.8); closer ones would take each other's. */
export const MARK_PX = 24

/** Of a mark that stands for several events: the worst among them. */
export function worstSeverity(events: readonly { severity: Severity }[]): Severity {
  return severities.find((severity) => events.some((event) => event.severity === severity)) ?? 'low'
}
