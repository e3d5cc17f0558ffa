import { COMPONENT_MODULE } from '@benchwatch/contract/patterns'
import type { AlertType, Severity } from '@benchwatch/contract/vocabulary'

/** The activity of an instrument in which a fault can occur. */
export type Situation = 'idle' | 'starting' | 'run' | 'wash'

/**
 * A fault of an instrument: the content of its event template, and when and how often it occurs.
 *
 * `detail` may contain `{6.1-6.9}` (a number of that range with the same number of decimals) and `{method}` (the
 * running method or culture). The instrument sends `<title>. <detail>` as the description; the registered template,
 * which has no measured value, says `<title>`.
 */
export interface Fault {
  /** Name ending in the module in parentheses: `Pump B (P9-B)`. */
  component: string
  errorCode: number
  severity: Severity
  alertType: AlertType
  title: string
  detail?: string
  /** The text on the instrument's own screen. */
  userMessage: string
  /** Troubleshooting steps in order; plain text. */
  steps: readonly string[]
  /** The permanent remedy; plain text. */
  remedy: string
  during: readonly Situation[]
  /** Relative frequency among the faults of the same situation. */
  weight: number
}

/** Returns the module in parentheses at the end of a component name: `Air sensor (L9-1.5)` → `L9-1.5`. */
export function moduleOf(component: string): string {
  const module = COMPONENT_MODULE.exec(component)?.[1]
  if (module === undefined) throw new Error(`The component "${component}" does not end with its module.`)
  return module
}

/** Returns `<eisCode>-<errorCode>`; the module code has no punctuation: `Air sensor (L9-1.5)`, 3104 → `L915-3104`. */
export function templateIdOf(fault: Pick<Fault, 'component' | 'errorCode'>): string {
  return `${moduleOf(fault.component).replace(/[^A-Za-z0-9]/g, '')}-${fault.errorCode}`
}
